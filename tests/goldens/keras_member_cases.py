"""Members of Keras's classes, each used once: what `tf.keras` of TensorFlow 1.15.5 gives, as JSON has it.

Runs in TensorFlow 1.15.5 (Python 3.7) and below `compat.keras2`.
"""

import numpy as np

X = np.linspace(-1, 1, 16).reshape(8, 2)
Y = X[:, :1] * 2


def model_of(keras):
    """A compiled model of two layers, with weights that are the same everywhere."""
    first = keras.layers.Dense(3, activation="tanh", kernel_initializer="ones", input_shape=(2,), name="first")
    model = keras.Sequential([first, keras.layers.Dense(1, kernel_initializer="ones", name="last")], name="net")
    model.compile(keras.optimizers.SGD(0.1, momentum=0.5), "mse", metrics=["accuracy", "mae"])
    return model


def batches():
    while True:
        yield X[:4], Y[:4]
        yield X[4:], Y[4:]


def uses(keras):
    """symbol -> what uses it, of a model."""
    backend = keras.backend

    class Seen(keras.callbacks.Callback):
        def __init__(self):
            super().__init__()
            self.calls = []

        def on_train_begin(self, logs=None):
            self.calls.append(["on_train_begin", sorted(self.params)])

        def on_epoch_begin(self, epoch, logs=None):
            self.calls.append(["on_epoch_begin", epoch])

        def on_batch_begin(self, batch, logs=None):
            self.calls.append(["on_batch_begin", batch, sorted(logs or {})])

        def on_batch_end(self, batch, logs=None):
            self.calls.append(["on_batch_end", batch, sorted(logs or {})])

        def on_epoch_end(self, epoch, logs=None):
            self.calls.append(["on_epoch_end", epoch, sorted(logs or {})])

        def on_train_end(self, logs=None):
            self.calls.append(["on_train_end", self.model.name])

    def fitted(model, **options):
        return model.fit(X, Y, batch_size=4, shuffle=False, verbose=0, **options)

    def seen(model):
        seen = Seen()
        fitted(model, callbacks=[seen], validation_split=0.5)
        return seen.calls

    def resumed(model):
        fitted(model)
        kept, model_weights = model.optimizer.get_weights(), model.get_weights()
        first = model.train_on_batch(X, Y)
        model.set_weights(model_weights)
        model.optimizer.set_weights(kept)
        return [first, model.train_on_batch(X, Y)]

    def with_rate(model):
        backend.set_value(model.optimizer.lr, 0.05)
        return [float(backend.get_value(model.optimizer.lr)), float(backend.get_value(model.optimizer.learning_rate))]

    def frozen(model):
        model.layers[0].trainable = False
        return [len(model.trainable_weights), len(model.non_trainable_weights)]

    return {
        "Model.count_params": lambda m: m.count_params(),
        "Model.dynamic": lambda m: m.dynamic,
        "Model.evaluate": lambda m: m.evaluate(X, Y, batch_size=3, verbose=0),
        "Model.evaluate_generator": lambda m: m.evaluate_generator(batches(), 2),
        "Model.fit": lambda m: fitted(m, epochs=2, validation_data=(X, Y)).history,
        "Model.fit_generator": lambda m: m.fit_generator(batches(), 2, epochs=2, verbose=0).history,
        "Model.get_layer": lambda m: [m.get_layer("last").name, m.get_layer(index=0).name],
        "Model.get_weights": lambda m: m.get_weights(),
        "Model.input_names": lambda m: m.input_names,
        "Model.input_shape": lambda m: m.input_shape,
        "Model.layers": lambda m: [layer.name for layer in m.layers],
        "Model.losses": lambda m: len(m.losses),
        "Model.metrics_names": lambda m: m.metrics_names,
        "Model.name": lambda m: m.name,
        "Model.non_trainable_weights": frozen,
        "Model.output_names": lambda m: m.output_names,
        "Model.output_shape": lambda m: m.output_shape,
        "Model.predict": lambda m: m.predict(X),
        "Model.predict_generator": lambda m: m.predict_generator(batches(), 1),
        "Model.predict_on_batch": lambda m: m.predict_on_batch(X),
        "Model.state_updates": lambda m: m.state_updates,
        "Model.stateful": lambda m: m.stateful,
        "Model.test_on_batch": lambda m: m.test_on_batch(X, Y),
        "Model.total_loss": lambda m: m.total_loss.shape.as_list(),
        "Model.train_on_batch": lambda m: [m.train_on_batch(X, Y), m.train_on_batch(X, Y, sample_weight=Y[:, 0] + 2)],
        "Model.trainable": lambda m: m.trainable,
        "Model.updates": lambda m: len(m.updates),
        "Model.weights": lambda m: [weight.name for weight in m.weights],
        "Sequential.predict_classes": lambda m: m.predict_classes(X),
        "Sequential.predict_proba": lambda m: m.predict_proba(X),
        "callbacks.Callback.on_epoch_end": seen,
        "callbacks.History.epoch": lambda m: fitted(m, epochs=3, initial_epoch=1).epoch,
        "callbacks.History.history": lambda m: fitted(m, validation_split=0.25).history,
        "callbacks.History.params": lambda m: fitted(m).params,
        "layers.Layer.count_params": lambda m: m.layers[0].count_params(),
        "layers.Layer.dtype": lambda m: m.layers[0].dtype,
        "layers.Layer.get_input_shape_at": lambda m: m.layers[1].get_input_shape_at(0),
        "layers.Layer.get_output_at": lambda m: m.layers[1].get_output_at(0) is m.output,
        "layers.Layer.get_weights": lambda m: m.layers[0].get_weights(),
        "layers.Layer.input_shape": lambda m: m.layers[1].input_shape,
        "layers.Layer.name": lambda m: m.layers[1].name,
        "layers.Layer.output_mask": lambda m: m.layers[1].output_mask,
        "layers.Layer.output_shape": lambda m: m.layers[0].output_shape,
        "layers.Layer.stateful": lambda m: m.layers[0].stateful,
        "layers.Layer.trainable_weights": lambda m: [weight.name for weight in m.layers[1].trainable_weights],
        "layers.Layer.updates": lambda m: m.layers[0].updates,
        "optimizers.Optimizer.get_config": lambda m: m.optimizer.get_config(),
        "optimizers.Optimizer.get_weights": resumed,
        "optimizers.Optimizer.iterations": lambda m: [fitted(m).epoch, int(backend.get_value(m.optimizer.iterations))],
        "optimizers.Optimizer.lr": with_rate,
        "optimizers.Optimizer.weights": lambda m: [fitted(m).epoch, len(m.optimizer.weights)],
    }


def cases(keras):
    """symbol -> what a use of it gives."""
    return {"tf.keras." + name: plain(use(model_of(keras))) for name, use in sorted(uses(keras).items())}


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
