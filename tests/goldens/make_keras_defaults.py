"""Writes keras_defaults.json: the defaults of the parameters of all that TF 1.15.5's `tf.keras` offers.

PY1/bin/python -m tests.goldens.make_keras_defaults
"""

import inspect
import json
import os
import types

import tensorflow as tf


def defaults(thing):
    """The parameters that have a default, with its text."""
    parameters = inspect.signature(thing.__init__ if inspect.isclass(thing) else thing).parameters.values()
    return {item.name: repr(item.default) for item in parameters if item.default is not item.empty}


found = {}
waiting = [("tf.keras", tf.keras)]
while waiting:
    path, module = waiting.pop()
    for name in dir(module):
        member = getattr(module, name)
        if name.startswith("_"):
            continue
        if isinstance(member, types.ModuleType):
            waiting.append((path + "." + name, member))
        elif callable(member):
            try:
                found[path + "." + name] = defaults(member)
            except (TypeError, ValueError):
                continue  # it has no signature

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_defaults.json"), "w") as file:
    plain = {
        name: {word: text for word, text in words.items() if " at 0x" not in text} for name, words in found.items()
    }
    json.dump({name: words for name, words in plain.items() if words}, file, indent=0, sort_keys=True)
    file.write("\n")
