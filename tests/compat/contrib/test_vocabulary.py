"""`compat.contrib.learn.preprocessing` beside what TF 1.15.5 made of the same texts (`make_vocabulary.py`)."""

from __future__ import annotations

import base64
import json
import pickle
from pathlib import Path

import pytest

from compat.contrib import learn
from compat.contrib.learn.preprocessing import CategoricalVocabulary, VocabularyProcessor
from tests.goldens.vocabulary_cases import TEXTS, answers, rows

GOLDEN = json.loads((Path(__file__).parents[2] / "goldens" / "vocabulary.json").read_text(encoding="utf-8"))
OURS = answers(learn)


@pytest.mark.parametrize("case", OURS)
def test_as_in_tf1(case: str) -> None:
    assert OURS[case] == GOLDEN[case]


def test_a_file_of_tf1_is_read(tmp_path: Path) -> None:
    (tmp_path / "vocabulary").write_bytes(base64.b64decode(GOLDEN["file"]))
    restored = VocabularyProcessor.restore(str(tmp_path / "vocabulary"))
    assert rows(restored.transform(TEXTS)) == GOLDEN["read"]


def test_a_saved_processor_goes_on(tmp_path: Path) -> None:
    processor = VocabularyProcessor(4).fit(TEXTS)
    processor.save(str(tmp_path / "vocabulary"))
    restored = VocabularyProcessor.restore(str(tmp_path / "vocabulary"))
    assert rows(restored.transform(TEXTS)) == GOLDEN["read"]
    assert restored.vocabulary_.get("unheard of") == 0


def test_numbers_are_not_turned_back_where_that_was_not_asked_for() -> None:
    vocabulary = CategoricalVocabulary(support_reverse=False)
    vocabulary.get("word")
    with pytest.raises(ValueError, match="support_reverse"):
        vocabulary.reverse(1)


def test_a_file_that_names_something_else_of_tf1_is_refused(tmp_path: Path) -> None:
    (tmp_path / "vocabulary").write_bytes(b"ctensorflow.contrib.learn.python.learn.preprocessing.text\nos\n.")
    with pytest.raises(pickle.UnpicklingError, match=r"`tensorflow\.contrib.*text\.os` of TensorFlow 1 is not known"):
        VocabularyProcessor.restore(str(tmp_path / "vocabulary"))
