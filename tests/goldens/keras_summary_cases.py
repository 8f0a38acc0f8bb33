"""Summaries of models, as `tf.keras` of TensorFlow 1.15.5 draws them, line by line.

Runs in TensorFlow 1.15.5 (Python 3.7) and below `compat.keras2`, in a graph and eagerly.
"""


def _models(keras):
    """name -> model, each with names of its own for all that it has."""
    layers, model_of, chain_of = keras.layers, keras.Model, keras.Sequential
    given = layers.Input((6,), name="first_input")
    a = layers.Dense(4, name="a_rather_long_name_of_a_layer_that_is_cut")(given)
    b = layers.Dense(4, name="b")(given)
    shared = layers.Dense(4, name="shared")
    joined = layers.Concatenate(name="cat")([shared(layers.Add(name="sum")([a, b])), shared(a), b])
    outputs = [layers.Dense(2, name="out")(joined), layers.BatchNormalization(name="normal")(joined)]
    chain = model_of(given, layers.Dense(1, name="end")(layers.Dropout(0.2, name="drop")(a)), name="chain")
    convolved = chain_of(
        [
            layers.Conv2D(3, 2, input_shape=(8, 8, 1), name="conv"),
            layers.MaxPooling2D(name="pool"),
            layers.Flatten(name="flat"),
            layers.Dense(1000, name="wide", trainable=False),
            layers.BatchNormalization(name="norm"),
        ],
        name="convolved",
    )
    images = layers.Input((8, 8, 1), name="images")
    around = model_of(
        [images, given], layers.Concatenate(name="both")([convolved(images), chain(given)]), name="around"
    )
    half = layers.Lambda(lambda x: x / 2, name="half")(images)
    twice = model_of(images, layers.Subtract(name="less")([convolved(images), convolved(half)]), name="twice")
    recurrent = chain_of(
        [
            layers.Embedding(10, 3, input_length=5, name="words"),
            layers.Bidirectional(layers.LSTM(4, return_sequences=True), name="ways"),
            layers.TimeDistributed(layers.Dense(2), name="each"),
        ],
        name="recurrent",
    )
    steps = layers.Input((5, 2), name="steps")
    whole, hidden, cell = layers.LSTM(3, return_state=True, name="encoder")(steps)
    decoded = layers.LSTM(3, name="decoder")(steps, initial_state=[hidden, cell])
    late = chain_of([layers.Dense(2, name="one"), layers.Dense(1, name="two")], name="late")
    late.build((None, 4))
    frozen = chain_of([layers.Dense(2, input_shape=(2,), name="cold")], name="frozen")
    frozen.compile("sgd", "mse")
    frozen.trainable = False
    models = [chain, convolved, around, twice, recurrent, late, frozen]
    models += [model_of(given, outputs, name="net"), model_of(steps, [whole, hidden, cell], name="states")]
    models += [model_of(steps, decoded, name="sequences")]
    return {model.name: model for model in models}


def cases(keras):
    """case -> the lines of a summary."""
    found = {}
    for name, model in sorted(_models(keras).items()):
        for kind, options in (
            ("plain", {}),
            ("narrow", {"line_length": 50}),
            ("placed", {"positions": [20, 45, 60, 80]}),
        ):
            lines = []
            model.summary(print_fn=lines.append, **options)
            found[name + ", " + kind] = lines
    return found
