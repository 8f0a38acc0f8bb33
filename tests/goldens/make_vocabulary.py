"""Writes vocabulary.json: what the vocabularies of TF 1.15.5 make of the cases, and a file that one of them saves.

PY1/bin/python -m tests.goldens.make_vocabulary
"""

import base64
import json
import os
import tempfile

from tensorflow.contrib import learn

from tests.goldens import vocabulary_cases

found = vocabulary_cases.answers(learn)
processor = learn.preprocessing.VocabularyProcessor(4).fit(vocabulary_cases.TEXTS)
path = os.path.join(tempfile.mkdtemp(), "vocabulary")
processor.save(path)
with open(path, "rb") as file:
    found["file"] = base64.b64encode(file.read()).decode()
found["read"] = vocabulary_cases.rows(processor.transform(vocabulary_cases.TEXTS))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "vocabulary.json"), "w") as file:
    json.dump(found, file, indent=1, sort_keys=True)
    file.write("\n")
