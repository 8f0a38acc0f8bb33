"""Arguments of the constructors of Keras's classes, and keys of histories, each used once: a model trained for a step.

Runs in TensorFlow 1.15.5 (Python 3.7), below `compat.keras2`, and in Keras 3.
"""

import numpy as np

DENSE = ((3,), {"units": 2})
IMAGE = (5, 5, 2)
LAYERS = {
    "BatchNormalization": (
        (4,),
        {},
        {
            "axis": 1,
            "beta_initializer": "ones",
            "center": False,
            "epsilon": 0.1,
            "fused": False,
            "gamma_initializer": "zeros",
            "gamma_regularizer": "l2",
            "momentum": 0.5,
            "moving_mean_initializer": "ones",
            "scale": False,
            "trainable": False,
        },
    ),
    "Dense": (
        *DENSE,
        {
            "activation": "tanh",
            "activity_regularizer": "l2",
            "bias_constraint": "non_neg",
            "bias_regularizer": "l2",
            "dtype": "float64",
            "kernel_constraint": "unit_norm",
            "kernel_initializer": "ones",
            "kernel_regularizer": "l1",
            "name": "other",
            "trainable": False,
            "use_bias": False,
            "weights": [np.ones((3, 2)), np.ones(2)],
        },
    ),
    "Dropout": ((3,), {"rate": 0.0}, {"noise_shape": (None, 1), "seed": 3}),
    "ELU": ((3,), {}, {"alpha": 0.3}),
    "Embedding": (
        (4,),
        {"input_dim": 5, "output_dim": 2},
        {"embeddings_initializer": "ones", "embeddings_regularizer": "l2", "input_length": 4, "mask_zero": True},
    ),
    "Flatten": (IMAGE, {}, {"data_format": "channels_first"}),
    "LeakyReLU": ((3,), {}, {"alpha": 0.1}),
    "ReLU": ((3,), {}, {"max_value": 0.5, "negative_slope": 0.1, "threshold": 0.2}),
    "Softmax": ((3, 2), {}, {"axis": 1}),
    "ThresholdedReLU": ((3,), {}, {"theta": 0.3}),
    "UpSampling2D": ((2, 2, 1), {}, {"interpolation": "bilinear", "size": 3}),
}
CLIPPED = {"clipnorm": 0.1, "clipvalue": 0.01, "decay": 0.5, "learning_rate": 0.2, "lr": 0.3}
OPTIMIZERS = {
    "Adam": {**CLIPPED, "amsgrad": True, "beta_1": 0.5, "beta_2": 0.5, "epsilon": 1e-3},
    "SGD": {**CLIPPED, "momentum": 0.5, "nesterov": True},
}
EARLY = {"monitor": "loss"}
CALLBACKS = {
    "EarlyStopping": (
        EARLY,
        {"baseline": 0.1, "min_delta": 10.0, "mode": "max", "monitor": "val_loss", "patience": 1, "verbose": 0},
    ),
    "LearningRateScheduler": ({"schedule": lambda epoch: 0.1}, {"schedule": lambda epoch: 0.1 / (epoch + 1)}),
    "ReduceLROnPlateau": (
        {"monitor": "loss", "patience": 1, "min_delta": 10.0},
        {"cooldown": 2, "factor": 0.5, "min_delta": 0.0, "min_lr": 0.05, "mode": "max", "patience": 2},
    ),
}
METRICS = (
    "acc",
    "accuracy",
    "binary_accuracy",
    "categorical_accuracy",
    "ce",
    "crossentropy",
    "mae",
    "mape",
    "mean_absolute_error",
    "mean_squared_error",
    "mse",
    "msle",
)


def numbers(shape, low=-1.0):
    """Numbers from `low` to 1, none of them a kink of a function."""
    return np.linspace(low, 1.003, int(np.prod(shape))).reshape(shape)


def layer_uses():
    """symbol -> the class, its arguments, and the shape of what it is given."""
    found = {}
    for name, (shape, base, tried) in LAYERS.items():
        for word, value in tried.items():
            found[f"tf.keras.layers.{name}({word})"] = (name, {**base, word: value}, shape)
    return found


def layer_use(keras, name, words, shape):
    """Predictions before and after a step, and that step's loss."""
    whole = name == "Embedding"
    x = np.arange(4 * int(np.prod(shape))).reshape((4, *shape)) % 5 if whole else numbers((4, *shape))
    model = keras.Sequential([getattr(keras.layers, name)(input_shape=shape, **words)])
    if not any("initializer" in word or word == "weights" for word in words):
        model.set_weights([numbers(each.shape, 0.2) for each in model.get_weights()])
    before = model.predict(x)
    loss = trained(keras, model, keras.optimizers.SGD(0.1), x, before + 0.5).history["loss"]
    return [before, loss, model.predict(x), len(model.get_weights())]


def trained(keras, model, optimizer, x, y, **options):
    """The history of one epoch, or more."""
    metrics = options.pop("metrics", None)
    eager = {"run_eagerly": True} if keras.__version__.startswith("3") else {}
    model.compile(optimizer, options.pop("loss", "mse"), metrics=metrics, **eager)
    return model.fit(x, y, **{"batch_size": 4, "shuffle": False, "verbose": 0, **options})


def linear(keras):
    """A model of one layer, and what it is trained on."""
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    model.set_weights([numbers((3, 2), 0.2), numbers((2,), 0.2)])
    x = numbers((4, 3))
    return model, x, model.predict(x) + np.array([0.5, -0.3])


def optimizer_use(keras, name, word, value):
    """Weights after three steps."""
    model, x, y = linear(keras)
    trained(keras, model, getattr(keras.optimizers, name)(**{word: value}), x, y, epochs=3)
    return model.get_weights()


def callback_use(keras, name, words):
    """How many epochs there were, and what they left."""
    model, x, y = linear(keras)
    callback = getattr(keras.callbacks, name)(**words)
    options = {"callbacks": [callback], "epochs": 5, "validation_data": (x, y)}
    found = trained(keras, model, keras.optimizers.SGD(0.1), x, y, **options)
    return [found.epoch, found.history["loss"], model.get_weights()]


def key_use(keras, metric):
    """The keys of a history, of a metric by its name."""
    model, x, y = linear(keras)
    options = {"metrics": [metric], "validation_data": (x, y), "epochs": 1}
    return sorted(trained(keras, model, keras.optimizers.SGD(0.1), x, y, **options).history)


def uses():
    """symbol -> what uses it, of a module `keras`."""
    found = {}
    for symbol, (name, words, shape) in layer_uses().items():
        found[symbol] = lambda keras, n=name, w=words, s=shape: layer_use(keras, n, w, s)
    for name, tried in OPTIMIZERS.items():
        for word, value in tried.items():
            found[f"tf.keras.optimizers.{name}({word})"] = lambda keras, n=name, w=word, v=value: optimizer_use(
                keras, n, w, v
            )
    for name, (base, tried) in CALLBACKS.items():
        for word, value in tried.items():
            words = {**base, word: value}
            found[f"tf.keras.callbacks.{name}({word})"] = lambda keras, n=name, w=words: callback_use(keras, n, w)
    for metric in METRICS:
        found[f"tf.keras.callbacks.History.history[{metric}]"] = lambda keras, m=metric: key_use(keras, m)
    return found


def plain(value):
    """A value as JSON has it; numbers as they are shown."""
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (np.ndarray, np.generic)) and np.ndim(value):
        return [list(value.shape), [float(f"{each:.7g}") for each in np.ravel(value).astype("float64")]]
    return float(f"{value:.7g}") if isinstance(value, (float, np.generic)) else value
