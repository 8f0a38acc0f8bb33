"""What is asked of the vocabularies of TF 1.15 and of ours: numbers of words, and which are kept."""

TEXTS = [
    "Hello, world! It's me-again 12.5 u_v",
    "hello hello hello WORLD world HTTPServer TensorFlow",
    "the dog, the cat: na\u00efve caf\u00e9",
]
COUNTS = [("x", 5), ("y", 5), ("z", 9), ("k", 1), (3, 5), ("x", 1)]


def rows(found):
    """Rows as lists."""
    return [row.tolist() for row in found]


def answers(learn):
    """What `learn`, the module, makes of the cases."""
    preprocessing = learn.preprocessing
    found = {"tokens": [list(words) for words in preprocessing.tokenizer(TEXTS)]}
    for least in (0, 1, 3):
        processor = preprocessing.VocabularyProcessor(5, min_frequency=least)
        before = rows(processor.transform(TEXTS[:1]))
        fitted = rows(processor.fit_transform(TEXTS))
        found[f"fitted {least}"] = [
            before,
            fitted,
            rows(processor.transform(["dog unknown hello"])),
            len(processor.vocabulary_),
        ]
        found[f"words {least}"] = list(processor.reverse(fitted))
    for most in (-1, 6, 9):
        vocabulary = preprocessing.CategoricalVocabulary("none")
        for word, count in COUNTS:
            vocabulary.add(word, count)
        vocabulary.trim(1, most)
        words = [vocabulary.reverse(number) for number in range(len(vocabulary))]
        vocabulary.freeze()
        frozen = vocabulary.get("new")
        vocabulary.freeze(False)
        found[f"trimmed {most}"] = [words, frozen, vocabulary.get("new")]
    processor = preprocessing.VocabularyProcessor(2, 0, None, lambda texts: (text.split(",") for text in texts))
    found["own words"] = rows(processor.fit_transform(TEXTS))
    return found
