"""Words as numbers: `tf.contrib.learn.preprocessing` of TF 1.15, for text that is prepared before the graph."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

# Runs of capitals, capitalized words inside of longer ones, and whatever else letters, digits, `_`, `-` and `'` make.
_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+")
_OLD_HOME = "tensorflow.contrib.learn.python.learn.preprocessing."


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """The words of each document, in order; stands for `tf.contrib.learn.preprocessing.tokenizer` of TF 1.15.

    Example:
      >>> list(tokenizer(["Don't panic: a well-known TensorFlow."]))
      [["Don't", 'panic', 'a', 'well-known', 'Tensor', 'Flow']]
    """
    for document in iterator:
        yield _WORD.findall(document)


class CategoricalVocabulary:
    """Numbers categories from 1 on in the order in which they come; 0 is what is not known.

    Stands for `tf.contrib.learn.preprocessing.CategoricalVocabulary` of TF 1.15.

    Args:
      unknown_token: what 0 stands for.
      support_reverse: whether `reverse` finds categories by their numbers.

    Example:
      >>> vocabulary = CategoricalVocabulary()
      >>> [vocabulary.get(word) for word in ("to", "be", "to")], len(vocabulary), vocabulary.reverse(2)
      ([1, 2, 1], 3, 'be')
    """

    def __init__(self, unknown_token: Hashable = "<UNK>", support_reverse: bool = True) -> None:
        self._unknown_token = unknown_token
        self._mapping: dict[Hashable, int] = {unknown_token: 0}
        self._support_reverse = support_reverse
        self._reverse_mapping: list[Hashable] = [unknown_token]
        self._freq: dict[Hashable, int] = Counter()
        self._freeze = False

    def __len__(self) -> int:
        """How many categories it knows, the unknown one included."""
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """From now on what is new stays unknown; `False` lets it learn again."""
        self._freeze = freeze

    def get(self, category: Hashable) -> int:
        """The number of a category: a new one gets the next, or 0 in a frozen vocabulary."""
        if category not in self._mapping and not self._freeze:
            self._mapping[category] = len(self._mapping)
            self._reverse_mapping.append(category)
        return self._mapping.get(category, 0)

    def add(self, category: Hashable, count: int = 1) -> None:
        """Counts a category, which `trim` goes by."""
        if self.get(category) > 0:
            self._freq[category] = self._freq.get(category, 0) + count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keeps the categories counted more than `min_frequency` times, and numbers them anew, frequent ones first.

        As in TF 1.15, `max_frequency`, if positive, leaves out those counted as often or more, and equal counts go by
        the alphabet, strings behind everything else; as many counts as categories are kept, the highest ones.
        """
        by_name = sorted(self._freq.items(), key=lambda item: (isinstance(item[0], str), item[0]))
        counted = sorted(by_name, key=lambda item: item[1], reverse=True)
        kept = [category for category, count in counted if count > min_frequency and not 0 < max_frequency <= count]
        self._reverse_mapping = [self._unknown_token, *kept]
        self._mapping = {self._unknown_token: 0}
        self._mapping.update((category, number) for number, category in enumerate(kept, start=1))
        self._freq = dict(counted[: len(kept)])

    def reverse(self, class_id: int) -> Hashable:
        """The category of a number.

        Raises:
          ValueError: the vocabulary was made without `support_reverse`.
        """
        if not self._support_reverse:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._reverse_mapping[class_id]


class VocabularyProcessor:
    """Turns documents into rows of word numbers; stands for `tf.contrib.learn.preprocessing.VocabularyProcessor`.

    Args:
      max_document_length: the length of each row: longer documents are cut, behind shorter ones come zeros.
      min_frequency: `fit` forgets words that come no more often than this, where it is positive.
      vocabulary: a `CategoricalVocabulary` to begin with, a new one by default.
      tokenizer_fn: takes documents and gives the words of each; `tokenizer` by default.

    Example:
      >>> processor = VocabularyProcessor(3)
      >>> [row.tolist() for row in processor.fit_transform(["to be or not to be", "be"])]
      [[1, 2, 3], [2, 0, 0]]
    """

    def __init__(
        self,
        max_document_length: int,
        min_frequency: int = 0,
        vocabulary: CategoricalVocabulary | None = None,
        tokenizer_fn: Callable[[Iterable[str]], Iterable[Iterable[str]]] | None = None,
    ) -> None:
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Iterable[str], unused_y: object = None) -> VocabularyProcessor:
        """Learns the words of documents, and freezes the vocabulary."""
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents: Iterable[str], unused_y: object = None) -> Iterator[npt.NDArray[np.int64]]:
        """Learns the words of documents, and gives their rows."""
        return self.fit(raw_documents).transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[npt.NDArray[np.int64]]:
        """Gives a row of `max_document_length` numbers for each document; words that are cut off are not learned."""
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for place, word in zip(range(self.max_document_length), words, strict=False):
                row[place] = self.vocabulary_.get(word)
            yield row

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """Gives the words of rows, with the unknown token for zeros."""
        for row in documents:
            yield " ".join(str(self.vocabulary_.reverse(number)) for number in row)

    def save(self, filename: str) -> None:
        """Writes the processor to a file, by `pickle`."""
        with tf.io.gfile.GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """Reads a processor that `save` wrote, in TF 1.15 too; `pickle` runs what a file says, so trust it."""
        with tf.io.gfile.GFile(filename, "rb") as file:
            found: VocabularyProcessor = _Reader(file).load()
        return found


_WRITTEN: dict[str, Any] = {kept.__name__: kept for kept in (CategoricalVocabulary, VocabularyProcessor, tokenizer)}
"""What the files of TF 1.15 name."""


class _Reader(pickle.Unpickler):
    """Finds the classes of files that TF 1.15 wrote here."""

    def find_class(self, module: str, name: str, /) -> Any:
        if not module.startswith(_OLD_HOME):
            return super().find_class(module, name)
        if name not in _WRITTEN:
            raise pickle.UnpicklingError(f"`{module}.{name}` of TensorFlow 1 is not known here.")
        return _WRITTEN[name]
