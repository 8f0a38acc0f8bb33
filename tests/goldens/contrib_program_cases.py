"""Small programs of `tf.contrib`, each in a graph of its own: run by make_contrib.py in TF 1.15.5 and under the bridge.

Each takes TensorFlow 1 (or what stands for it) and a folder, and gives what JSON can hold. Python 3.7 must read this.
"""

import collections
import os

WORDS = ["emerson", "lake", "palmer"]


def _session(tf):
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
    return session


def _listed(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, bytes):
        return value.decode()
    return [_listed(each) for each in value] if isinstance(value, (list, tuple)) else value


def _summaries(tf, session):
    """Tags with their values: of scalars the number, of histograms the least, the greatest and their count."""
    summary = tf.Summary()
    summary.ParseFromString(session.run(tf.summary.merge_all()))
    found = {}
    for value in summary.value:
        kind = value.WhichOneof("value")
        histogram = value.histo
        numbers = {"simple_value": [value.simple_value], "histo": [histogram.min, histogram.max, histogram.num]}
        found[value.tag] = [kind, numbers.get(kind, [value.image.height, value.image.width])]
    return found


def tables_of_tensors(tf, folder):
    lookup = tf.contrib.lookup
    asked = tf.constant(["lake", "moog", "emerson"])
    numbers = tf.constant([2, 7, 0], tf.int64)
    named = lookup.string_to_index_table_from_tensor(WORDS, num_oov_buckets=2)
    words = lookup.index_to_string_table_from_tensor(WORDS, default_value="none")
    mapping = tf.constant(WORDS)
    found = [
        named.lookup(asked),
        words.lookup(numbers),
        lookup.string_to_index(asked, mapping, default_value=9),
        lookup.index_to_string(numbers, mapping, default_value="none"),
    ]
    with _session(tf) as session:
        return [_listed(each) for each in session.run(found)]


def tables_of_files(tf, folder):
    lookup = tf.contrib.lookup
    path = os.path.join(folder, "words.txt")
    with open(path, "w") as file:
        file.write("\n".join(WORDS) + "\n")
    asked = tf.constant(["palmer", "moog"])
    ids, words = lookup.TextFileIdTableInitializer(path), lookup.TextFileStringTableInitializer(path)
    table = lookup.HashTable(ids, -1)
    weak = lookup.IdTableWithHashBuckets(table, 4)
    strong = lookup.IdTableWithHashBuckets(table, 4, hasher_spec=lookup.StrongHashSpec([1, 2]), name="strong")
    spelled = lookup.IdTableWithHashBuckets(None, 100, hasher_spec=lookup.HasherSpec("fasthash", None), name="all")
    found = [
        lookup.string_to_index_table_from_file(path, num_oov_buckets=3).lookup(asked),
        lookup.HashTable(words, "none").lookup(tf.constant([1, 5], tf.int64)),
        weak.lookup(asked),
        strong.lookup(asked),
        spelled.lookup(asked),
        weak.size(),
    ]
    kinds = [isinstance(ids, lookup.TableInitializerBase), isinstance(strong, lookup.LookupInterface)]
    with _session(tf) as session:
        return kinds + [_listed(each) for each in session.run(found)]


def summaries_of_slim(tf, folder):
    slim = tf.contrib.slim
    x = tf.constant([[0.0, 2.0], [3.0, 0.0]], name="x")
    slim.summaries.add_histogram_summary(x, name="given")
    slim.summaries.add_scalar_summaries([tf.reduce_max(x, name="largest")], prefix="p")
    slim.summaries.add_zero_fraction_summaries([x], prefix="z")
    image = tf.reshape(x, [1, 2, 2, 1], name="image")
    slim.summaries.add_image_summary(image, name="one")
    slim.summaries.add_image_summaries([image], prefix="all")
    with _session(tf) as session:
        return _summaries(tf, session)


def summaries_of_layers(tf, folder):
    layers = tf.contrib.layers
    ones = tf.ones_initializer()
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [2], initializer=ones, collections=["variables", "kept"])
    layers.summarize_tensor(tf.constant(2.5, name="number"))
    layers.summarize_tensors([tf.constant([1.0, 2.0], name="vector")])
    layers.summarize_collection("kept", name_filter="net")
    layers.summarize_collection("kept", name_filter="other")
    layers.summarize_activation(tf.nn.relu6(tf.constant([-1.0, 2.0, 7.0]), name="six"))
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, tf.nn.relu(w - 3.0, name="active"))
    layers.summarize_activations()
    with _session(tf) as session:
        return _summaries(tf, session)


def gradients_and_summaries(tf, folder):
    training = tf.contrib.training
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    unused = tf.get_variable("unused", [1])
    loss = tf.reduce_sum(w * tf.constant([3.0, 4.0]))
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss, [w, unused])
    clipped = training.clip_gradient_norms(pairs, 2.0)
    training.add_gradients_summaries(clipped)
    tf.contrib.slim.learning.add_gradients_summaries([(pairs[0][0], tf.get_variable("v", [2]))])
    with _session(tf) as session:
        return [_listed(session.run(clipped[0][0])), clipped[1][0] is None, _summaries(tf, session)]


def names_of_layers(tf, folder):
    layers = tf.contrib.layers
    utils = layers.utils if hasattr(layers, "utils") else tf.contrib.slim.utils
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    utils.collect_named_outputs("ends", "first/", a)
    utils.collect_named_outputs("ends", "second", b)
    utils.append_tensor_alias(b, "again")
    named = utils.convert_collection_to_dict("ends")
    shape = tf.TensorShape([None, 3, 4, 5])
    found = [
        list(named),
        utils.get_tensor_aliases(b),
        utils.gather_tensors_aliases([a, b, tf.constant(0, name="plain")]),
        utils.last_dimension(shape, min_rank=2),
        utils.channel_dimension(shape, "NCHW"),
        utils.channel_dimension(shape, "NHWC"),
        list(utils.two_element_tuple(3)),
        list(utils.two_element_tuple([2, 1])),
        utils.get_variable_collections({"weights": ["w"]}, "weights"),
        utils.get_variable_collections(["all"], "weights"),
        len(utils.convert_collection_to_dict("ends", clear_collection=True)),
        len(tf.get_collection("ends")),
    ]
    with _session(tf) as session:
        return found + [_listed(each) for each in session.run(list(named.values()))]


def framework_and_slim(tf, folder):
    slim = tf.contrib.slim
    framework = tf.contrib.framework

    @framework.add_arg_scope
    def scaled(x, by=1.0):
        return x * by

    with framework.arg_scope([scaled], by=4.0):
        inside = scaled(tf.constant(2.0))
    with tf.variable_scope("scope"):
        v = slim.variable("v", [2], initializer=tf.ones_initializer())
    return [
        float(_session(tf).run(inside)),
        slim.arg_scope_func_key(scaled) == slim.arg_scope_func_key(scaled),
        slim.get_variable_full_name(v),
        slim.model_analyzer.tensor_description(v).replace("_ref", ""),
    ]


def states_of_decoders(tf, folder):
    seq2seq = tf.contrib.seq2seq
    memory = tf.reshape(tf.range(12.0), [2, 3, 2])
    mechanism = seq2seq.LuongAttention(2, memory)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(2), mechanism)
    state = cell.zero_state(2, tf.float32).clone(time=tf.constant(5))

    class Counting(seq2seq.Helper):
        batch_size = property(lambda self: tf.constant(2))
        sample_ids_shape = tf.TensorShape([])
        sample_ids_dtype = tf.int32

        def initialize(self, name=None):
            return tf.constant([False, False]), tf.zeros([2, 2])

        def sample(self, time, outputs, state, name=None):
            return tf.cast(tf.argmax(outputs, 1), tf.int32)

        def next_inputs(self, time, outputs, state, sample_ids, name=None):
            return tf.fill([2], time >= 2), outputs, state

    class Doubling(seq2seq.Decoder):
        batch_size = 2
        output_size = tf.TensorShape([1])
        output_dtype = tf.float32

        def initialize(self, name=None):
            return tf.constant([False, False]), tf.ones([2, 1]), tf.zeros([2, 1])

        def step(self, time, inputs, state, name=None):
            return inputs * 2.0, state + inputs, inputs * 2.0, tf.fill([2], time >= 3)

    by_helper, _, lengths = seq2seq.dynamic_decode(
        seq2seq.BasicDecoder(tf.nn.rnn_cell.BasicRNNCell(2), Counting(), tf.zeros([2, 2]))
    )
    doubled, final, _ = seq2seq.dynamic_decode(Doubling())
    beam = seq2seq.BeamSearchDecoderState(tf.zeros([1]), tf.zeros([2]), tf.zeros([3]), tf.zeros([4]), ())
    with _session(tf) as session:
        return [
            isinstance(mechanism, seq2seq.AttentionMechanism),
            isinstance(state, seq2seq.AttentionWrapperState),
            int(session.run(state.time)),
            _listed(session.run(tf.shape(by_helper.sample_id))) + _listed(session.run(lengths)),
            _listed(session.run(doubled[:, :, 0])) + _listed(session.run(final)),
            list(beam._fields),
        ]


def descriptions(tf, folder):
    node = tf.NodeDef(op="TensorSummary", attr={"description": tf.AttrValue(s=b'{"typeHint": "scalar"}')})
    return [tf.summary.get_summary_description(node).type_hint]


CASES = collections.OrderedDict(
    (case.__name__, case)
    for case in (
        tables_of_tensors,
        tables_of_files,
        summaries_of_slim,
        summaries_of_layers,
        gradients_and_summaries,
        names_of_layers,
        framework_and_slim,
        states_of_decoders,
        descriptions,
    )
)
