"""Programs over variable and name scopes, for make_scopes.py in TF 1.15.5 and for the tests here. Python 3.7 syntax.

Each takes the namespace and gives what is to be the same: names, identities, errors.
"""


def _name(thing):
    return thing.name


def error(function, *arguments, **keywords):
    """Kind and first line of the error that a call raises."""
    try:
        function(*arguments, **keywords)
    except Exception as raised:
        return [type(raised).__name__, str(raised).split("\n")[0].split(" Originally")[0]]
    return None


def nested(tf):
    with tf.variable_scope("a"):
        first = tf.get_variable("w", [1])
        with tf.variable_scope("b"):
            second = tf.get_variable("w", [1])
    return [_name(first), _name(second), _name(tf.get_variable("w", [1]))]


def entered_twice(tf):
    names = []
    for _ in range(2):
        with tf.variable_scope("a", reuse=tf.AUTO_REUSE) as scope:
            names.append([scope.name, scope.original_name_scope, _name(tf.Variable(1.0))])
            names.append(_name(tf.get_variable("w", [1])))
    return names


def default_names(tf):
    names = []
    for _ in range(2):
        with tf.variable_scope("outer"):
            for _ in range(2):
                with tf.variable_scope(None, "layer") as scope:
                    names.append([scope.name, scope.original_name_scope])
    return names


def default_names_at_root(tf):
    names = []
    for _ in range(3):
        with tf.variable_scope(None, "net") as scope, tf.variable_scope(None, "net"):
            names.append([scope.name, _name(tf.get_variable("w", [1]))])
    return names


def empty_name(tf):
    with tf.variable_scope("a"), tf.variable_scope(""):
        names = [_name(tf.get_variable("w", [1]))]
    with tf.variable_scope(""):
        names.append(_name(tf.get_variable("v", [1])))
    return names


def scope_object(tf):
    with tf.variable_scope("a") as a:
        first = tf.get_variable("w", [1])
    with tf.variable_scope("b"), tf.variable_scope(a, reuse=True) as again:
        second = tf.get_variable("w", [1])
        loose = tf.Variable(0.0, name="v")
        with tf.variable_scope("c", reuse=False) as c:
            reused = c.reuse
    return [
        first is second,
        again.name,
        again.original_name_scope,
        _name(loose),
        c.name,
        c.original_name_scope,
        bool(reused),
    ]


def scope_object_without_name_scope(tf):
    with tf.variable_scope("a") as a:
        pass
    with tf.name_scope("ops"), tf.variable_scope(a, auxiliary_name_scope=False):
        return [_name(tf.get_variable("w", [1])), _name(tf.Variable(0.0)), a.original_name_scope]


def reuse_variables(tf):
    with tf.variable_scope("a") as a:
        first = tf.get_variable("w", [1])
        a.reuse_variables()
        same = tf.get_variable("w", [1]) is first
    with tf.variable_scope("a"):
        again = error(tf.get_variable, "w", [1])
    with tf.variable_scope(a):
        stuck = tf.get_variable("w", [1]) is first
    return [same, again, stuck, a.reuse]


def reuse_inherited(tf):
    with tf.variable_scope("a"), tf.variable_scope("b"):
        first = tf.get_variable("w", [1])
    with tf.variable_scope("a", reuse=True), tf.variable_scope("b", reuse=False) as b:
        return [tf.get_variable("w", [1]) is first, b.reuse, error(tf.get_variable, "v", [1])]


def duplicates(tf):
    tf.get_variable("w", [2])
    with tf.variable_scope("", reuse=True):
        return [
            error(tf.get_variable, "v", [2]),
            error(tf.get_variable, "w", [3]),
            error(tf.get_variable, "w", [2], dtype=tf.int32),
        ]


def wrong_use(tf):
    return [
        error(tf.get_variable, "c", [2], initializer=[1.0, 2.0]),
        error(tf.variable_scope, None),
        error(tf.variable_scope, "a", reuse="yes"),
        error(tf.Variable),
    ]


def variables_in_name_scopes(tf):
    names = []
    for _ in range(2):
        with tf.name_scope("ops") as scope:
            names.append(
                [
                    scope,
                    _name(tf.Variable(0.0)),
                    _name(tf.Variable(0.0, name="v")),
                    _name(tf.get_variable(f"g{len(names)}", [1])),
                ]
            )
    with tf.variable_scope("s"):
        names.append([_name(tf.Variable(0.0)), _name(tf.Variable(0.0))])
    with tf.name_scope("ops/"):
        names.append([_name(tf.Variable(0.0, name="w"))])
    return names


def custom_getters(tf):
    seen = []

    def outer(getter, name, *args, **kwargs):
        seen.append("outer " + name)
        return getter(name + "_o", *args, **kwargs)

    def inner(getter, name, *args, **kwargs):
        seen.append("inner " + name)
        return getter(name + "_i", *args, **kwargs)

    with tf.variable_scope("a", custom_getter=outer):
        with tf.variable_scope("b", custom_getter=inner):
            first = tf.get_variable("w", [1])
        second = tf.get_variable("w", [1], custom_getter=inner)
    return [_name(first), _name(second), seen]


def defaults(tf):
    def penalty(weights):
        return weights[0] * 2.0

    with tf.variable_scope("a", initializer=tf.ones_initializer(), regularizer=penalty, dtype=tf.float64):
        first = tf.get_variable("w", [1])
        with tf.variable_scope("b"):
            second = tf.get_variable("w", [1], regularizer=tf.no_regularizer)
        with tf.variable_scope("c", regularizer=penalty):
            tf.get_variable("w", [1])
    with tf.variable_scope("a", reuse=True):
        tf.get_variable("w", [1], regularizer=penalty, dtype=tf.float64)
    return [first.dtype.base_dtype.name, second.dtype.base_dtype.name, len(tf.get_collection("regularization_losses"))]


def collections(tf):
    tf.get_variable("a", [1])
    tf.get_variable("b", [1], trainable=False)
    tf.get_variable("c", [1], collections=["mine", tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    tf.get_local_variable("d", [1])
    tf.Variable(0, name="e", trainable=False, collections=["mine"])
    with tf.variable_scope("s") as s:
        tf.get_variable("f", [1])
    keys = ["variables", "trainable_variables", "local_variables", "mine"]
    return [[_name(each) for each in tf.get_collection(key)] for key in keys] + [
        [_name(each) for each in tf.trainable_variables("s/")],
        [_name(each) for each in s.global_variables()],
        [_name(each) for each in tf.get_collection("variables", "a|s")],
    ]


def partitions(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(3)):
        first = tf.get_variable("w", [7, 2])
        scalar = tf.get_variable("s", [])
    with tf.variable_scope("q", partitioner=tf.variable_axis_size_partitioner(24, axis=1)):
        second = tf.get_variable("w", [2, 5])
    with tf.variable_scope("r", partitioner=tf.min_max_variable_partitioner(4, min_slice_size=16)):
        third = tf.get_variable("w", [6, 2])
    with tf.variable_scope("p", reuse=True, partitioner=tf.fixed_size_partitioner(2)):
        wrong = error(tf.get_variable, "w", [7, 2])
    return [[[_name(part), part.shape.as_list()] for part in each] for each in (first, second, third)] + [
        _name(scalar),
        wrong,
        [_name(part) for part in tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros_initializer())],
    ]


def templates(tf):
    scale = tf.make_template("scale", lambda: tf.get_variable("w", [1]))
    early = tf.make_template("scale", lambda: tf.get_variable("w", [1]), create_scope_now_=True)
    unique = tf.make_template("x", lambda: tf.get_variable("w", [1]), unique_name_="exact")
    leaky = tf.make_template("leaky", lambda: tf.Variable(0.0))
    leaky()
    return [
        _name(scale()),
        scale() is scale(),
        _name(early()),
        _name(unique()),
        [_name(each) for each in scale.variables],
        error(leaky)[0],
    ]


def taken_names(tf):
    with tf.name_scope("taken"):
        pass
    first = tf.get_variable("taken", [1])
    with tf.variable_scope("", reuse=True):
        same = tf.get_variable("taken", [1]) is first
    return [_name(first), same, _name(tf.Variable(0.0, name="Taken"))]


def reentered_manager(tf):
    manager = tf.variable_scope("again", reuse=tf.AUTO_REUSE)
    names = []
    for _ in range(2):
        with manager as scope:
            names.append([scope.name, scope.original_name_scope, _name(tf.Variable(0.0))])
    return names


def pure_scopes(tf):
    """Scopes without a name scope, which programs open by TensorFlow's private name for them."""
    if hasattr(tf, "variables"):
        pure = tf.variables.pure_variable_scope
    else:
        from tensorflow.python.ops.variable_scope import _pure_variable_scope as pure
    found = []
    with pure("a") as scope:
        found += [scope.name, scope.original_name_scope, _name(tf.get_variable("w", [1])), _name(tf.Variable(0.0))]
        with pure("b", old_name_scope="elsewhere/", reuse=tf.AUTO_REUSE) as inner:
            found += [inner.name, inner.original_name_scope, tf.get_variable("w", [1]) is tf.get_variable("w", [1])]
    with pure(scope, reuse=True):
        found += [_name(tf.get_variable("w", [1])), error(tf.get_variable, "v", [1])]
    return found


CASES = [
    pure_scopes,
    nested,
    entered_twice,
    default_names,
    default_names_at_root,
    empty_name,
    scope_object,
    scope_object_without_name_scope,
    reuse_variables,
    reuse_inherited,
    duplicates,
    wrong_use,
    variables_in_name_scopes,
    custom_getters,
    defaults,
    collections,
    partitions,
    templates,
    taken_names,
    reentered_manager,
]
