"""What a model is built for, under the names of `tf.contrib.learn`."""

from __future__ import annotations


class ModeKeys:
    """What a model is built for; stands for `tf.contrib.learn.ModeKeys` of TF 1.15.

    Its values are those of `compat.estimator.ModeKeys`, where `INFER` is called `PREDICT`.
    """

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        """Checks that it is one of them.

        Raises:
          ValueError: it is not.
        """
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"Invalid mode {key}.")
