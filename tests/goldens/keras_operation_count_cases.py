"""Calls of `tf.keras` in a graph, behind which its operations are counted."""

import tensorflow as tf

L = tf.keras.layers
K = tf.keras.backend


def features():
    """A batch of features."""
    return tf.placeholder(tf.float32, [None, 4])


def steps():
    """A batch of sequences."""
    return tf.placeholder(tf.float32, [None, 6, 3])


def images():
    """A batch of images."""
    return tf.placeholder(tf.float32, [None, 8, 8, 3])


CASES = {
    "tf.keras.layers.ZeroPadding2D": lambda: L.ZeroPadding2D(1)(images()),
    "tf.keras.layers.UpSampling2D": lambda: L.UpSampling2D(2)(images()),
    "tf.keras.layers.MaxPooling2D": lambda: L.MaxPooling2D(2)(images()),
    "tf.keras.layers.GlobalAveragePooling2D": lambda: L.GlobalAveragePooling2D()(images()),
    "tf.keras.layers.Flatten": lambda: L.Flatten()(images()),
    "tf.keras.layers.Reshape": lambda: L.Reshape((4, -1))(images()),
    "tf.keras.layers.Permute": lambda: L.Permute((2, 1))(steps()),
    "tf.keras.layers.Activation": lambda: L.Activation("relu")(features()),
    "tf.keras.layers.LeakyReLU": lambda: L.LeakyReLU(0.2)(features()),
    "tf.keras.layers.Lambda": lambda: L.Lambda(lambda v: v * 2)(features()),
    "tf.keras.layers.Add": lambda: L.Add()([features(), features()]),
    "tf.keras.layers.Concatenate": lambda: L.Concatenate()([features(), features()]),
    "tf.keras.layers.Dot": lambda: L.Dot(1)([features(), features()]),
    "tf.keras.layers.Dropout": lambda: L.Dropout(0.5)(features()),
    "tf.keras.layers.SpatialDropout1D": lambda: L.SpatialDropout1D(0.5)(steps(), training=True),
    "tf.keras.layers.SpatialDropout2D": lambda: L.SpatialDropout2D(0.5)(images(), training=True),
    "tf.keras.layers.Dense": lambda: L.Dense(3)(features()),
    "tf.keras.layers.Conv1D": lambda: L.Conv1D(3, 3)(steps()),
    "tf.keras.layers.Conv2D": lambda: L.Conv2D(3, 3)(images()),
    "tf.keras.layers.Conv2DTranspose": lambda: L.Conv2DTranspose(3, 3, 2)(images()),
    "tf.keras.layers.Embedding": lambda: L.Embedding(5, 3)(tf.placeholder(tf.int32, [None, 4])),
    "tf.keras.layers.BatchNormalization": lambda: L.BatchNormalization()(features()),
    "tf.keras.layers.LayerNormalization": lambda: L.LayerNormalization()(features()),
    "tf.keras.layers.LSTM": lambda: L.LSTM(3)(steps()),
    "tf.keras.layers.GRU": lambda: L.GRU(3)(steps()),
    "tf.keras.layers.SimpleRNN": lambda: L.SimpleRNN(3)(steps()),
    "tf.keras.layers.TimeDistributed": lambda: L.TimeDistributed(L.Dense(3))(steps()),
    "tf.keras.layers.Bidirectional": lambda: L.Bidirectional(L.LSTM(3))(steps()),
    "tf.keras.activations.selu": lambda: tf.keras.activations.selu(features()),
    "tf.keras.activations.elu": lambda: tf.keras.activations.elu(features()),
    "tf.keras.losses.mean_squared_error": lambda: tf.keras.losses.mean_squared_error(features(), features()),
    "tf.keras.losses.hinge": lambda: tf.keras.losses.hinge(features(), features()),
    "tf.keras.losses.squared_hinge": lambda: tf.keras.losses.squared_hinge(features(), features()),
    "tf.keras.losses.MeanSquaredError": lambda: tf.keras.losses.MeanSquaredError()(features(), features()),
    "tf.keras.losses.BinaryCrossentropy": lambda: tf.keras.losses.BinaryCrossentropy()(features(), features()),
    "tf.keras.losses.CategoricalCrossentropy": lambda: tf.keras.losses.CategoricalCrossentropy()(
        features(), features()
    ),
    "tf.keras.losses.Huber": lambda: tf.keras.losses.Huber()(features(), features()),
    "tf.keras.losses.Hinge": lambda: tf.keras.losses.Hinge()(features(), features()),
    "tf.keras.backend.mean": lambda: K.mean(features(), axis=-1),
    "tf.keras.backend.dot": lambda: K.dot(features(), tf.zeros([4, 2])),
    "tf.keras.backend.sqrt": lambda: K.sqrt(features()),
    "tf.keras.backend.batch_dot": lambda: K.batch_dot(steps(), steps(), axes=(2, 2)),
    "tf.keras.backend.resize_images": lambda: K.resize_images(images(), 2, 2, "channels_last"),
    "tf.keras.backend.in_train_phase": lambda: K.in_train_phase(features(), features(), tf.placeholder(tf.bool, [])),
    "tf.keras.backend.map_fn": lambda: K.map_fn(lambda v: v * 2, features()),
}
"""By the symbol that a row of `operation_count.txt` has where the count is another."""
