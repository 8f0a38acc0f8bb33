"""Pins of TensorFlow 1 in requirements files, `setup.py`, `setup.cfg`, TOML and conda files, Dockerfiles.

A pin is updated where the text makes it certain: a whole line of a requirements file or `setup.cfg`, a whole
string in `setup.py` or `pyproject.toml`. Anywhere else (an image to build on, a conda environment whose
Python must move too, hashes, a wheel's address) it is reported, with what to write.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from tf_migrate.files.pin_files import Kind, kind_of
from tf_migrate.report.model import Finding
from tf_migrate.syntax.module import is_skipped_file, is_skipped_line

TENSORFLOW_2 = ">=2.16,<2.22"
UPDATED = "TFM311"
REPORTED = "TFM312"

_NAME = r"(?:tensorflow(?:[-_](?:gpu|cpu|rocm|directml|estimator|tensorboard))?|intel-tensorflow|tensorboard)"
_CLAUSE = r"(?:===?|~=|!=|<=?|>=?|=)\s*[\w.*+!]+"
_REQUIREMENT = re.compile(
    rf"(?<![\w./@-])(?P<name>{_NAME})(?P<extras>\[[\w, -]*\])?"
    rf"\s*\(?(?P<clauses>{_CLAUSE}(?:\s*,\s*{_CLAUSE})*)?\)?(?![\w/.:-])",
    re.IGNORECASE,
)
_TABLE_ENTRY = re.compile(rf"^\s*[\"']?{_NAME}[\"']?\s*=\s*(?:\{{.*version\s*=\s*)?[\"'][\^~=<>]*\s*[01](?:\.[\w.*]+)?")
_WHEEL = re.compile(rf"{_NAME}-[01]\.[\w.]*-\S*?\.whl", re.IGNORECASE)
_IMAGE = re.compile(r"tensorflow/tensorflow:[01]\.[\w.-]*")
_CLAUSE_PARTS = re.compile(r"([=~!<>]+)\s*(\d+)((?:\.[\w*]+)*)")
_COMMENT_OR_MARKER = re.compile(r"\s*(?:;.*|#.*)?")
# What TensorFlow 2 brings along by itself, or no longer has.
_COMPANIONS = frozenset({"tensorboard", "tensorflow-tensorboard", "tensorflow-estimator"})
_KEPT_NAMES = frozenset({"tensorflow", "tensorflow-cpu"})
KERAS_2 = "tf_keras>=2.16,<2.22"
_KERAS = re.compile(
    rf"(?<![\w./@-])(?P<name>keras)(?:[ \t]*\(?(?P<clauses>{_CLAUSE}(?:\s*,\s*{_CLAUSE})*)\)?)?(?![\w/.:-])",
    re.IGNORECASE,
)
# What TensorFlow 2.16 asks of packages that programs of TensorFlow 1 held back.
_LEAST = {"h5py": (3, 10), "keras": (3, 0), "numpy": (1, 26), "protobuf": (3, 20, 3)}
_HELD_BACK = re.compile(
    rf"(?<![\w./@-])(?P<name>{'|'.join(_LEAST)})[ \t]*\(?(?P<clauses>{_CLAUSE}(?:\s*,\s*{_CLAUSE})*)\)?(?![\w/.:-])",
    re.IGNORECASE,
)
_LISTS = ("requirements", "setup.cfg")
_HAS_KERAS_2 = re.compile(r"\btf[-_]keras\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin of TensorFlow 1: where it stands in its line, and what replaces it (None: a person decides)."""

    line: int
    start: int
    end: int
    text: str
    replacement: str | None
    next_step: str | None
    reason: str = "asks for TensorFlow 1"


def update(name: str, raw: bytes, *, keras2: bool = False) -> tuple[bytes, tuple[Finding, ...]]:
    """The file with its certain pins moved to TensorFlow 2, and one finding for each pin of TensorFlow 1.

    Beside one, packages that are held back below what TensorFlow 2 needs are let go. With `keras2`, a pin of the
    package `keras` becomes one of `tf_keras`; where there is none, that is added.
    """
    kind = kind_of(PurePath(name))
    plain = raw.replace(b"\0", b"")
    if kind is None or not (b"ensor" in plain or (keras2 and b"eras" in plain)):
        return raw, ()
    text, encoding = _decode(raw)
    if is_skipped_file(text):
        return raw, ()
    lines = re.split(r"(?<=\n)", text)
    findings: list[Finding] = []
    wanted = keras2 and _HAS_KERAS_2.search(text) is None
    replaced = [pin for number, line in enumerate(lines) for pin in _keras_pins(kind, number + 1, line) if wanted]
    every = [list(_pins(kind, number + 1, line)) for number, line in enumerate(lines)]
    held = [pin for number, line in enumerate(lines) for pin in _held_back_pins(kind, number + 1, line) if any(every)]
    replaced_at = {(pin.line, pin.start) for pin in replaced}
    for number, line in enumerate(lines):
        pins = [*every[number], *(pin for pin in replaced if pin.line == number + 1)]
        if wanted and not replaced:
            pins = [_with_keras_2(kind, line, pin) for pin in pins]
        pins += [pin for pin in held if pin.line == number + 1 and (pin.line, pin.start) not in replaced_at]
        for pin in sorted(pins, key=lambda pin: pin.start, reverse=True):
            if pin.replacement is not None:
                lines[number] = lines[number][: pin.start] + pin.replacement + lines[number][pin.end :]
            findings.append(_finding(name, pin))
    # Written anew only where it changed: text of an unknown encoding then stays as it was.
    changed = any(finding.action == "rewritten" for finding in findings)
    return ("".join(lines).encode(encoding, "surrogateescape") if changed else raw), tuple(findings)


def _decode(raw: bytes) -> tuple[str, str]:
    if raw.startswith(codecs.BOM_UTF16_LE):  # `pip freeze > requirements.txt` in PowerShell
        return raw.decode("utf-16-le", "replace"), "utf-16-le"
    return raw.decode("utf-8", "surrogateescape"), "utf-8"


def _pins(kind: Kind, number: int, line: str) -> Iterator[Pin]:
    if line.lstrip("\ufeff \t").startswith("#") or is_skipped_line(line):
        return
    for pattern in (_WHEEL, _IMAGE, _TABLE_ENTRY):
        match = pattern.search(line)
        if match and (pattern is not _TABLE_ENTRY or kind == "toml"):
            text = match[0].strip()
            yield Pin(
                number,
                line.index(text),
                match.end(),
                text,
                None,
                _next_step(kind, "tensorflow", is_image=pattern is _IMAGE),
            )
            return
    for match in _REQUIREMENT.finditer(line):
        name = match["name"].lower().replace("_", "-")
        if not _is_tensorflow_1(name, match["clauses"]) or _is_key(line, match):
            continue
        new_name = "tensorflow" if name == "tensorflow-gpu" else name
        certain = new_name in _KEPT_NAMES and _is_certain(kind, line, match)
        replacement = f"{new_name}{match['extras'] or ''}{TENSORFLOW_2}" if certain else None
        next_step = None if certain else _next_step(kind, name, has_hashes=_has_hashes(line))
        yield Pin(number, match.start(), match.end(), match[0].strip(), replacement, next_step)


def _keras_pins(kind: Kind, number: int, line: str) -> Iterator[Pin]:
    """The stand-alone Keras of TensorFlow 1, which `compat.keras2` takes from `tf_keras`."""
    if line.lstrip("\ufeff \t").startswith("#") or is_skipped_line(line):
        return
    for match in _KERAS.finditer(line):
        below_three = match["clauses"] is None or any(
            int(part[1]) < 3 for part in _CLAUSE_PARTS.findall(match["clauses"])
        )
        if not below_three or _is_key(line, match) or (match["clauses"] is None and kind not in _LISTS):
            continue
        certain = _is_certain(kind, line, match)
        step = None if certain else f"write {KERAS_2} here"
        yield Pin(number, match.start(), match.end(), match[0].strip(), KERAS_2 if certain else None, step)


def _held_back_pins(kind: Kind, number: int, line: str) -> Iterator[Pin]:
    """Packages that TensorFlow 2 needs newer than this line lets them be."""
    if line.lstrip("\ufeff \t").startswith("#") or is_skipped_line(line):
        return
    for match in _HELD_BACK.finditer(line):
        name = match["name"].lower()
        if _reaches(match["clauses"], _LEAST[name]):
            continue
        newer = f"{match['name']}>={'.'.join(map(str, _LEAST[name]))}"
        certain = _is_certain(kind, line, match)
        step = None if certain else f"write {newer} here"
        reason = "keeps TensorFlow 2 from being installed"
        yield Pin(number, match.start(), match.end(), match[0].strip(), newer if certain else None, step, reason)


def _reaches(clauses: str, least: tuple[int, ...]) -> bool:
    """Whether a version that is no older than `least` may satisfy the clauses."""
    for operator, major, rest in _CLAUSE_PARTS.findall(clauses):
        version = (int(major), *(int(part) for part in rest.split(".")[1:] if part.isdecimal()))
        wide = operator == "~=" or rest.endswith("*")
        fixed = version[: -1 if operator == "~=" else None] if wide else version
        if operator in ("=", "==", "===", "~=") and fixed < least[: len(fixed) if wide else None]:
            return False
        if (operator == "<" and version <= least) or (operator == "<=" and version < least):
            return False
    return True


def _with_keras_2(kind: Kind, line: str, pin: Pin) -> Pin:
    """A pin of TensorFlow with one of Keras 2 behind it, where a file has one pin a line; else it is to be added."""
    before, after = line[: pin.start], line[pin.end :]
    if pin.replacement is None:
        return replace(pin, next_step=f"{pin.next_step}, and {KERAS_2}")
    if kind not in _LISTS or before.strip() or after.strip():
        return pin
    newline = "\r\n" if after.endswith("\r\n") else "\n"
    return replace(pin, replacement=f"{pin.replacement}{newline}{before}{KERAS_2}")


def _is_tensorflow_1(name: str, clauses: str | None) -> bool:
    if clauses is None:
        return name == "tensorflow-gpu"  # its last version is older than 2.16
    for operator, major, rest in _CLAUSE_PARTS.findall(clauses):
        if operator == "!=":
            continue
        below_two = operator == "<" and major == "2" and not rest.strip(".0")
        if int(major) < 2 or below_two:
            return True
    return False


def _is_key(line: str, match: re.Match[str]) -> bool:
    """`"tensorflow_gpu": [...]` names a group of requirements, and `tensorflow-gpu = [...]` does."""
    return match["clauses"] is None and re.match(r"[\"']?\s*[:=\[(]", line[match.end() :]) is not None


def _is_certain(kind: Kind, line: str, match: re.Match[str]) -> bool:
    before, after = line[: match.start()], line[match.end() :].rstrip("\r\n")
    if kind in ("requirements", "setup.cfg"):
        alone = not before.strip("\ufeff \t") or re.fullmatch(r"\s*(install_requires|deps)\s*=\s*", before)
        return bool(alone) and _COMMENT_OR_MARKER.fullmatch(after) is not None and "--hash" not in after
    if kind in ("setup.py", "toml") and match["clauses"] is not None:
        quote = before[-1:]
        return quote in ("'", '"') and bool(quote) and re.match(rf"\s*(;[^{quote}]*)?{quote}", after) is not None
    return False


def _next_step(kind: Kind, name: str, *, is_image: bool = False, has_hashes: bool = False) -> str:
    if name in _COMPANIONS:
        return f"remove {name}: TensorFlow 2 brings the version that it needs"
    wanted = f"tensorflow{TENSORFLOW_2}"
    if kind == "dockerfile":
        if is_image:
            return "build on an image of TensorFlow 2.16 or newer, such as tensorflow/tensorflow:2.16.1"
        return f"install '{wanted}' on an image with Python 3.10 or newer"
    if kind == "conda":
        return f"write {wanted} (conda-forge or the pip section) with python>=3.10"
    if kind == "requirements" and has_hashes:
        return f"write {wanted} and make the hashes anew (pip-compile --generate-hashes)"
    return f"write {wanted} here"


def _has_hashes(line: str) -> bool:
    return "--hash" in line or line.rstrip().endswith("\\")  # they stand in the lines that follow


def _finding(name: str, pin: Pin) -> Finding:
    if pin.replacement is not None:
        message = f"{pin.text} becomes {pin.replacement}"
        return Finding(name, pin.line, pin.start + 1, UPDATED, None, "rewritten", "info", message)
    message = f"{pin.text} {pin.reason}"
    if _REQUIREMENT.fullmatch(pin.text) and not _CLAUSE_PARTS.search(pin.text):
        message = f"{pin.text} has no version that migrated code runs on"
    return Finding(name, pin.line, pin.start + 1, REPORTED, None, "manual", "warning", message, pin.next_step)
