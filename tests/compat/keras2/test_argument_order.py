"""Arguments and configurations of layers as TF 1.15.5 had them: order, names, keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compat
from compat import keras2
from compat.keras2 import layers, losses, models

pytestmark = pytest.mark.usefixtures("own_tensorflow")


class Mirrored(layers.Conv2D):  # type: ignore[misc]
    """A layer of a program, which takes what TF 1.15's layer took."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        data_format: Any = None,
        dilation_rate: Any = (1, 1),
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        name: Any = None,
        trainable: bool = True,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            activation,
            use_bias,
            kernel_initializer,
            bias_initializer,
            kernel_regularizer,
            bias_regularizer,
            activity_regularizer,
            kernel_constraint,
            bias_constraint,
            name=name,
            trainable=trainable,
            dtype=dtype,
        )

    def call(self, inputs: Any) -> Any:
        return super().call(inputs[:, ::-1])


def test_a_derived_layer_that_writes_out_its_arguments_is_read_from_a_file(tmp_path: Path) -> None:
    with compat.Graph().as_default():
        given = layers.Input((5, 5, 1))
        made = Mirrored(2, 3, activation="relu")(given)
        pooled = layers.GlobalAveragePooling2D()(layers.GaussianNoise(0.1)(made))
        model = models.Model(given, pooled)
        model.compile("sgd", "mse")
        model.save(str(tmp_path / "m.h5"))
        again = models.load_model(str(tmp_path / "m.h5"), custom_objects={"Mirrored": Mirrored})
        x = np.arange(25.0).reshape(1, 5, 5, 1)
        np.testing.assert_array_equal(again.predict(x), model.predict(x))


def test_arguments_by_place() -> None:
    assert layers.DepthwiseConv2D(3, 1, "same", 1, None, "relu").activation.__name__ == "relu"
    conv = layers.Conv1D(2, 3, 1, "same", None, 1, "tanh", False)
    assert conv.activation.__name__ == "tanh" and conv.use_bias is False
    gru = layers.GRU(2, *([None] * 13), 0.0, 0.0, 1, True)
    assert gru.return_sequences is True and gru.return_state is False
    assert losses.CategoricalCrossentropy(False, 0.1, "none", "c").name == "c"
    with pytest.raises(TypeError, match="arguments by place"):
        losses.CategoricalCrossentropy(False, 0.1, "none", "c", 1)


def test_keys_of_configurations() -> None:
    assert "groups" not in layers.Conv2D(2, 3).get_config()
    assert sorted(layers.GlobalMaxPooling1D().get_config()) == ["data_format", "dtype", "name", "trainable"]
    assert sorted(layers.GaussianNoise(0.1).get_config()) == ["dtype", "name", "stddev", "trainable"]


def test_functions_of_other_names() -> None:
    assert keras2.preprocessing.text.text_to_word_sequence(text="A b") == ["a", "b"]
    found = keras2.utils.deserialize_keras_object("a", module_objects={"a": 3}, printable_module_name="b")
    assert found == 3


def test_images_turn_and_shift_as_they_did() -> None:
    turned = keras2.preprocessing.image.apply_affine_transform(np.arange(18.0).reshape(3, 3, 2), theta=30)
    expected = [7.608, 8.608, 4.876, 5.876, 3.608, 4.608, 12, 13, 11.072, 12.072, 9.804, 10.804, 12.536, 13.536, 14.268]
    np.testing.assert_allclose(turned.ravel(), [*expected, 15.268, 16, 17], atol=5e-4)
    generator = keras2.preprocessing.image.ImageDataGenerator(height_shift_range=[1, 1])
    np.random.seed(1)
    shifted = generator.random_transform(np.arange(8.0).reshape(4, 2, 1))
    assert shifted.ravel().tolist() == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 6.0, 7.0]
