"""No TensorFlow: in `make check` importing it fails the test, in the process of the tests and in those that it starts.

Python imports a module of this name as it begins, where `PYTHONPATH` has the folder.
"""

import sys


class TensorFlowImportedError(BaseException):
    """No `except Exception` keeps it from the test."""


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in ("tensorflow", "keras"):
            raise TensorFlowImportedError(
                "a test of `make check` imports TensorFlow, which tests/tiers/uses.py did not see: "
                "what runs a program has to be named there, or the test has to use the fixture `own_tensorflow`"
            )


def forbid():
    """From here on it cannot be imported."""
    sys.meta_path.insert(0, _Finder)


if __name__ == "sitecustomize":
    forbid()
