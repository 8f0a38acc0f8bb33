"""Values of snippets as plain data, alike under TF 1.15.5 (Python 3.7) and TF 2, and how two of them compare."""

import numpy as np

TEXT = (bytes, str)


def parts(value):
    """The structure of a snippet's result as text, and its leaves: tensors, arrays, operations, anything else."""
    kind = type(value).__name__
    if kind.startswith("SparseTensor"):
        return _join("sparse", [value.indices, value.values, value.dense_shape])
    if kind == "RaggedTensor" or kind == "RaggedTensorValue":
        return _join("ragged", [value.flat_values, *value.nested_row_splits])
    if kind.startswith("IndexedSlices"):
        return _join("slices", [value.values, value.indices])
    if isinstance(value, dict):
        return _join("dict " + " ".join(sorted(value)), [value[key] for key in sorted(value)])
    if isinstance(value, (list, tuple)) and kind not in ("TensorShape",):
        return _join("list", list(value))
    return "leaf", [value]


def _join(kind, items):
    found = [parts(item) for item in items]
    return (
        "{}({})".format(kind, ", ".join(structure for structure, _ in found)),
        [leaf for _, leaves in found for leaf in leaves],
    )


def plain(leaf):
    """One leaf as JSON: dtype, shape and flat values of an array, text of anything else, null of nothing."""
    if leaf is None:
        return None
    if isinstance(leaf, (np.ndarray, np.generic, bool, int, float, complex, *TEXT)):
        array = np.asarray(leaf)
        if array.dtype.kind in "OSU":
            flat = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel().tolist()]
            return ["string", list(array.shape), [item.decode("latin-1") for item in flat]]
        if array.dtype.kind == "c":
            flat = [[float(item.real), float(item.imag)] for item in array.ravel()]
        else:
            flat = array.ravel().tolist()
        return [str(array.dtype), list(array.shape), flat]
    return str(leaf)


def difference(got, expected, rtol=2e-5, atol=2e-6):
    """Why one plain leaf is not the other, or None."""
    if not (isinstance(got, list) and isinstance(expected, list)):
        return None if got == expected else f"{got!r} instead of {expected!r}"
    if got[:2] != expected[:2]:
        return f"dtype and shape {got[:2]} instead of {expected[:2]}"
    exact = expected[0] in ("string", "bool") or "int" in expected[0]
    if exact:
        return None if got[2] == expected[2] else f"{got[2]} instead of {expected[2]}"
    near = np.allclose(np.array(got[2]), np.array(expected[2]), rtol=rtol, atol=atol, equal_nan=True)
    return None if near else f"{got[2]} instead of {expected[2]}"
