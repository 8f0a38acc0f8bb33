"""`compat.Session` does what `tf.Session` of TF 1.15 did, errors included."""

import collections
import threading
import time

import numpy as np
import pytest
import tensorflow as tf

import compat

pytestmark = pytest.mark.usefixtures("graph")


def test_runs_only_what_the_fetches_need():
    ran = []
    x = compat.placeholder(tf.float32, [None])
    noticed = tf.numpy_function(lambda v: ran.append(1) or v, [x], tf.float32)
    doubled = x * 2
    with compat.Session() as session:
        np.testing.assert_array_equal(session.run(doubled, {x: [1, 2]}), [2, 4])
        assert not ran
        session.run(noticed, {x: [1, 2]})
        assert ran == [1]


def test_fetch_structures_come_back_as_they_went_in():
    Pair = collections.namedtuple("Pair", "left right")
    a, b = tf.constant(1), tf.constant([2.0])
    with compat.Session() as session:
        got = session.run({"x": [a, (b, a)], "y": Pair(a, {"z": b}), "op": a.op, "name": "Const:0"})
    assert got["x"][0] == 1 and isinstance(got["x"][0], np.int32)
    assert isinstance(got["x"][1], tuple) and got["x"][1][0].dtype == np.float32
    assert isinstance(got["y"], Pair) and got["y"].right["z"][0] == 2.0
    assert got["op"] is None and got["name"] == 1


def test_an_operation_may_be_fetched_twice():
    count = compat.Variable(0)
    step = tf.group(count.assign_add(1))
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run([step, [count, step], {"step": step}]) == [None, [1, None], {"step": None}]


def test_structures_are_fed_part_by_part_as_tf1_did():
    # TF 1.15's `nest.flatten_dict_items`: as many values, in their order, whatever holds them.
    a, b, c = (compat.placeholder(tf.float32, []) for _ in range(3))
    value = a + 10 * b + 100 * c
    with compat.Session() as session:
        for given in (((1, 2), 3), [1, 2, 3], (1, [2, 3]), {"x": 1, "y": (2, 3)}):
            assert session.run(value, {((a, b), c): given}) == 321
        for given in ([1, 2], np.array([1, 2, 3])):
            with pytest.raises(ValueError, match="for the 3 parts"):
                session.run(value, {((a, b), c): given})


def test_missing_feed_names_the_placeholder():
    x = compat.placeholder(tf.float32, [None, 3], name="images")
    missing = pytest.raises(tf.errors.InvalidArgumentError, match="placeholder tensor 'images'")
    with compat.Session() as session, missing:
        session.run(x + 1)


def test_uninitialized_variable_is_a_failed_precondition():
    weights = compat.Variable(tf.zeros([2]), name="weights")
    with compat.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value weights"):
            session.run(weights + 1.0)
        session.run(weights.initializer)
        np.testing.assert_array_equal(session.run(weights + 1.0), [1, 1])


@pytest.mark.parametrize(
    ("value", "error"), [(np.zeros([2, 4]), ValueError), ("text", ValueError), ([[1, 2, 3], [1]], ValueError)]
)
def test_a_feed_that_does_not_fit_raises_what_tf1_raised(value, error):
    x = compat.placeholder(tf.float32, [None, 3])
    with compat.Session() as session, pytest.raises(error):
        session.run(x, {x: value})


def test_feeds_are_cast_to_the_placeholder_type():
    x = compat.placeholder(tf.int32, [])
    flag = compat.placeholder(tf.bool, [])
    with compat.Session() as session:
        assert session.run([x + 1, flag], {x: 2.0, flag: 1}) == [3, True]
        with pytest.raises(TypeError, match="not compatible with Tensor type"):
            session.run(x, {x: 2**40})


def test_an_intermediate_tensor_can_be_fed():
    x = compat.placeholder(tf.float32, [])
    middle = x * 2
    result = middle + 1
    with compat.Session() as session:
        assert session.run(result, {middle: 5.0}) == 6.0
        assert session.run([middle, result], {middle: 5.0}) == [5.0, 6.0]


def test_what_is_fed_for_a_variable_is_read_everywhere():
    # What TF 1.15.5 gives: its default variables are one tensor each, resource variables one for each read.
    w, r = compat.Variable(2.0), compat.Variable(2.0, use_resource=True)
    computed = [tf.identity(w), w * 2 + w, r * 2 + r]
    grown = compat.assign_add(w, 1.0)
    with compat.Session() as session:
        session.run([w.initializer, r.initializer])
        assert session.run([w, *computed], {w: 10.0, r: 10.0}) == [10.0, 10.0, 30.0, 6.0]
        assert session.run([w, r, *computed]) == [2.0, 2.0, 2.0, 6.0, 6.0]
        assert session.run(grown) == 3.0


def test_what_is_fed_for_a_variable_is_read_by_gathers_branches_and_loops():
    # What TF 1.15.5 gives.
    w, table = compat.Variable(2.0), compat.Variable([[1.0, 2.0], [3.0, 4.0]])
    chosen = tf.cond(w > 5.0, lambda: w * 3.0, lambda: w * 1.0)
    looped = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + w), [0, 0.0])[1]
    ids = compat.placeholder(tf.int32, [None])
    rows = tf.gather(table, ids)
    slope = compat.gradients(tf.reduce_sum(rows**2), table)[0]
    with compat.Session() as session:
        session.run([w.initializer, table.initializer])
        for _ in range(2):
            assert session.run([chosen, looped, w], {w: 10.0}) == [30.0, 20.0, 10.0]
            assert session.run([chosen, looped, w]) == [2.0, 4.0, 2.0]
        fed = {ids: [1, 1], table: [[5, 6], [7, 8]]}
        assert session.run(rows, fed).tolist() == [[7.0, 8.0], [7.0, 8.0]]
        assert session.run(slope, fed).values.tolist() == [[14.0, 16.0], [14.0, 16.0]]
        assert session.run(rows, {ids: [0]}).tolist() == [[1.0, 2.0]]
        with pytest.raises(ValueError, match="Cannot feed value of shape"):
            session.run(rows, {ids: [0], table: [1.0]})


def test_feeding_by_name_and_sparse_placeholders():
    x = compat.placeholder(tf.float32, [], name="x")
    sparse = compat.sparse_placeholder(tf.float32, [2, 3])
    dense = tf.sparse.to_dense(sparse) * x
    with compat.Session() as session:
        got = session.run(dense, {"x:0": 2.0, sparse: ([[0, 1]], [1.5], [2, 3])})
        np.testing.assert_array_equal(got, [[0, 3, 0], [0, 0, 0]])
        listed = session.run(dense, {x: 2.0, sparse: [[[0, 1]], np.float32([1.5]), [2, 3]]})
        np.testing.assert_array_equal(listed, got)
        with pytest.raises(ValueError, match="2 values for the 3 parts"):
            session.run(dense, {x: 2.0, sparse: np.ones([2, 3])})
        with pytest.raises(TypeError):
            session.run(dense, {x: 2.0, sparse: None})
        value = session.run(sparse, {sparse: ([[0, 1]], [1.5], [2, 3])})
    np.testing.assert_array_equal(value.indices, [[0, 1]])


def test_the_names_of_sparse_placeholders():
    unnamed, named = compat.sparse_placeholder(tf.float32), compat.sparse_placeholder(tf.float32, name="s")
    parts = [(item.dense_shape.op.name, item.values.op.name, item.indices.op.name) for item in (unnamed, named)]
    assert parts == [("Placeholder", "Placeholder_1", "Placeholder_2"), ("s/shape", "s/values", "s/indices")]


def test_a_variable_fetched_beside_its_update_shows_the_update():
    """TF1's default variables alias their buffer: `facts.md` measured 60 of 60 runs."""
    step = compat.Variable(0, name="step")
    view = tf.reshape(tf.identity(step), [1])
    computed = step + 10
    update = compat.assign_add(step, 5)
    with compat.Session() as session:
        session.run(step.initializer)
        got = session.run([step, view, update.op, update])
        assert got[0] == 5 and got[1].tolist() == [5] and got[3] == 5
        assert session.run([step, computed]) == [5, 15]


def test_computed_values_are_those_before_the_updates():
    weights = compat.Variable([1.0, 2.0], name="w")
    loss = tf.reduce_sum(weights**2)
    (gradient,) = tf.gradients(loss, [weights])
    train = weights.assign_sub(0.5 * gradient)
    with compat.Session() as session:
        session.run(weights.initializer)
        first, _ = session.run([loss, train.op])
        second = session.run(loss)
    assert first == 5.0 and second == 0.0


def test_eval_and_run_use_the_default_session():
    counter = compat.Variable(0)
    up = counter.assign_add(1)
    with compat.Session() as session:
        assert compat.get_default_session() is session
        counter.initializer.run()
        up.op.run()
        assert counter.eval() == 1
        assert (counter + 1).eval() == 2
    assert compat.get_default_session() is None
    with pytest.raises(RuntimeError, match="closed"):
        session.run(counter)


def test_interactive_session_is_the_default_until_closed():
    session = compat.InteractiveSession()
    assert tf.constant(3).eval() == 3
    session.close()
    assert compat.get_default_session() is None


def test_loops_branches_and_their_gradients():
    x = compat.placeholder(tf.float32, [])
    _, total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * x), [0, 1.0])
    chosen = tf.cond(x > 0, lambda: total, lambda: -x)
    (slope,) = tf.gradients(chosen, [x])
    with compat.Session() as session:
        assert session.run([chosen, slope], {x: 2.0}) == [8.0, 12.0]
        assert session.run([chosen, slope], {x: -2.0}) == [2.0, -1.0]


def test_queues_keep_their_elements_between_runs():
    queue = tf.queue.FIFOQueue(3, [tf.int32], shapes=[[]])
    value = compat.placeholder(tf.int32, [])
    put, take, size = queue.enqueue(value), queue.dequeue(), queue.size()
    with compat.Session() as session:
        for number in (7, 8):
            session.run(put, {value: number})
        assert session.run(size) == 2
        assert [session.run(take), session.run(take + 0)] == [7, 8]


def test_two_graphs_do_not_share_anything():
    other = compat.Graph()
    with other.as_default():
        queue = tf.queue.FIFOQueue(3, [tf.int32])
        put = queue.enqueue(1)
        w = compat.Variable(1.0, name="w")
    mine = tf.queue.FIFOQueue(3, [tf.int32])
    mine_w = compat.Variable(2.0, name="w")
    with compat.Session(graph=other) as session:
        session.run([put, w.initializer])
    with compat.Session() as session:
        session.run(mine_w.initializer)
        assert session.run([mine.size(), mine_w]) == [0, 2.0]
        with pytest.raises(ValueError, match="not an element of this graph"):
            session.run(w)


def test_closing_ends_a_blocked_call():
    queue = tf.raw_ops.FIFOQueueV2(component_types=[tf.int32])
    (take,) = tf.raw_ops.QueueDequeueV2(handle=queue, component_types=[tf.int32])
    session = compat.Session()
    seen = []

    def wait():
        try:
            session.run(take)
        except tf.errors.CancelledError as error:
            seen.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    while thread.is_alive() and not session._waiting:
        time.sleep(0.01)
    session.close()
    thread.join(10)
    assert len(seen) == 1


def test_make_callable():
    x = compat.placeholder(tf.float32, [])
    with compat.Session() as session:
        call = session.make_callable([x * 2, x * 3], [x])
        assert call(2.0) == [4.0, 6.0]
        with pytest.raises(TypeError, match="1 values"):
            call()


def test_a_fetch_that_is_nothing_of_the_graph():
    with compat.Session() as session:
        with pytest.raises(TypeError, match="invalid type"):
            session.run(3.0)
        with pytest.raises(ValueError, match="nothing_here"):
            session.run("nothing_here:0")


def test_open_sessions_of_one_graph_have_values_of_their_own(tmp_path):
    """TF 1.15.5 printed 2, 102, 3, 103, 3 and 3 for the second one, and the same random numbers in both sessions."""
    count = compat.Variable(1.0, name="count")
    start = compat.placeholder(tf.float32, [])
    reset, step = count.assign(start), count.assign_add(1.0)
    noise = tf.random.uniform([], seed=5)
    first, second = compat.Session(), compat.Session()
    saver = compat.train.Saver()
    first.run(count.initializer)
    got = [first.run(step)]
    second.run(reset, {start: 101.0})
    got += [second.run(step), first.run(step), second.run(step), first.run(count)]
    path = saver.save(first, str(tmp_path / "model"))
    saver.restore(second, path)
    first.run(reset, {start: 2.0})
    assert [*got, second.run(count) - 1] == [2, 102, 3, 103, 3, 2]
    assert first.run(noise) == second.run(noise)
    assert first.run(noise) == second.run(noise)
    second.close()
    assert first.run(count) == 2


def test_closing_one_session_leaves_the_queues_of_another_alone():
    queue = compat.FIFOQueue(3, tf.int32, shapes=[])
    put, take = queue.enqueue(7), queue.dequeue()
    with compat.Session() as first:
        first.run(put)
        with compat.Session() as second:
            second.run(tf.constant(1))
        assert first.run(take) == 7


def test_sessions_in_threads_do_not_mix_their_values():
    count = compat.Variable(0, name="count")
    step = count.assign_add(1)
    sessions = [compat.Session() for _ in range(3)]
    results = {}

    def work(position):
        sessions[position].run(count.initializer)
        for _ in range(50):
            results[position] = sessions[position].run(step)

    threads = [threading.Thread(target=work, args=(position,)) for position in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: 50, 1: 50, 2: 50}


def test_sparse_gradients_are_fetched_as_tf1_gave_them():
    table = compat.get_variable("table", initializer=np.ones([4, 2], np.float32))
    (gradient,) = tf.gradients(tf.reduce_sum(compat.nn.embedding_lookup(table, [1, 2, 1]) ** 2), [table])
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        got = session.run(gradient)
    values, indices, dense_shape = got
    assert type(got).__name__ == "IndexedSlicesValue"
    np.testing.assert_array_equal(values, np.full([3, 2], 2.0, np.float32), strict=True)
    np.testing.assert_array_equal(indices, np.array([1, 2, 1], np.int32), strict=True)
    np.testing.assert_array_equal(dense_shape, np.array([4, 2], np.int32), strict=True)
    assert got.values is values


def test_variables_are_fed_by_their_names(graph):
    """Each row as TF 1.15.5 gave it: x is 7."""
    x = compat.get_variable("x", initializer=7.0)
    with compat.variable_scope("scope"):
        v = compat.get_variable("v", initializer=[0.0, 0.0])
    y = x * x
    total = tf.reduce_sum(v + 1.0)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        for key in ("x:0", "x/read:0", x, x.op.outputs[0], x.value(), graph.get_tensor_by_name("x/read:0")):
            assert session.run(y, {key: 3.0}) == 9.0, key
        assert session.run(total, {"scope/v:0": [10.0, 20.0]}) == 32.0
        assert session.run(y, {("x:0", "scope/v:0"): (2.0, np.zeros(2))}) == 4.0
        assert session.run(y, {x.read_value(): 3.0}) == 49.0
        assert session.make_callable(y, ["x:0"])(8.0) == 64.0
        assert session.run(["x:0", "x/read:0", y]) == [7.0, 7.0, 49.0]
        for name in ("x", "nothing:0", "nothing/read:0"):
            with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
                session.run(y, {name: 3.0})


def test_a_resource_variable_that_is_fed_is_read_as_before(graph):
    r = compat.get_variable("r", initializer=2.0, use_resource=True)
    tripled = r * 3.0
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run(tripled, {r: 5.0}) == session.run(tripled, {"r/Read/ReadVariableOp:0": 5.0}) == 6.0


def test_what_is_fed_and_fetched_is_an_array(graph):
    x = compat.placeholder(tf.float32, [])
    with compat.Session() as session:
        given, doubled = session.run([x, x * 2.0], {x: 3})
        assert isinstance(given, np.ndarray) and given.shape == () and given.dtype == np.float32
        assert doubled == 6.0 and not isinstance(doubled, np.ndarray)
