"""TF 1.x calls around sessions: hooks, monitored sessions, event files, exports; the values are those of TF 1.15.5."""

import os
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = os.path.join(tempfile.gettempdir(), "tf_migrate_snippets_programs")


def folder():
    """An empty folder."""
    if tf.gfile.Exists(FOLDER):
        tf.gfile.DeleteRecursively(FOLDER)
    tf.gfile.MakeDirs(FOLDER)
    return FOLDER


def counting(monitored, steps=3):
    """The global step after some steps of a monitored session."""
    step = tf.train.get_or_create_global_step()
    update = tf.assign_add(step, 1)
    with monitored() as session:
        for _ in range(steps):
            if not session.should_stop():
                session.run(update)
        return session.run(step)


def hooked(hook, steps=3):
    """The steps that a monitored session with a hook makes."""
    step = tf.train.get_or_create_global_step()
    update = tf.assign_add(step, 1)
    with tf.train.MonitoredTrainingSession(hooks=[hook()]) as session:
        done = 0
        while done < steps and not session.should_stop():
            session.run(update)
            done += 1
    return done


class Recorder(tf.train.SessionRunHook):
    """Adds a fetch to every run."""

    def __init__(self):
        self.seen = []

    def before_run(self, run_context):
        """Fetch the global step."""
        return tf.train.SessionRunArgs(tf.train.get_global_step())

    def after_run(self, run_context, run_values):
        """Keep it."""
        self.seen.append(len(run_values.results.shape))


def recorded():
    """What a hook of one's own saw."""
    recorder = Recorder()
    hooked(lambda: recorder)
    return recorder.seen


def events(write):
    """Tags and steps in the event file that `write` fills."""
    path = folder()
    write(path)
    found = []
    for name in sorted(tf.gfile.ListDirectory(path)):
        if "tfevents" in name:
            for event in tf.train.summary_iterator(os.path.join(path, name)):
                found.extend([event.step, value.tag] for value in event.summary.value)
    return found


def write_summary(path):
    """One scalar."""
    writer = tf.summary.FileWriter(path)
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="t", simple_value=1.0)]), 3)
    writer.close()


def write_cached(path):
    """One scalar through the cache of writers."""
    writer = tf.summary.FileWriterCache.get(path)
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="c", simple_value=1.0)]), 4)
    tf.summary.FileWriterCache.clear()


def small_graph():
    """An input, a weight and their product, with the session's initial values."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable([[1.0], [2.0]], name="w")
    y = tf.identity(tf.matmul(x, w), name="y")
    return x, w, y


def frozen():
    """What a frozen graph gives after its import."""
    with tf.Graph().as_default(), tf.Session() as session:
        small_graph()
        session.run(tf.global_variables_initializer())
        definition = tf.graph_util.convert_variables_to_constants(session, session.graph_def, ["y"])
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(definition, return_elements=["y:0"], name="")
        return session.run(y, {"x:0": [[3.0, 4.0]]}), sorted({node.op for node in definition.node} & {"VariableV2"})


def extracted():
    """The nodes that a part of a graph needs."""
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        tf.add(a, 2.0, name="b")
        tf.constant(5.0, name="c")
        return sorted(node.name for node in tf.graph_util.extract_sub_graph(graph.as_graph_def(), ["b"]).node)


def exported():
    """What an exported model gives after it is loaded."""
    path = os.path.join(folder(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        x, _, y = small_graph()
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, path, {"x": x}, {"y": y})
    with tf.Graph().as_default(), tf.Session() as session:
        meta = tf.saved_model.loader.load(session, [tf.saved_model.tag_constants.SERVING], path)
        signature = meta.signature_def[tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY]
        return session.run(signature.outputs["y"].name, {signature.inputs["x"].name: [[3.0, 4.0]]})


def built():
    """The signatures of a model that the builder wrote."""
    path = os.path.join(folder(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        x, _, y = small_graph()
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.builder.SavedModelBuilder(path)
        signature = tf.saved_model.signature_def_utils.predict_signature_def({"x": x}, {"y": y})
        builder.add_meta_graph_and_variables(
            session, [tf.saved_model.tag_constants.SERVING], signature_def_map={"predict": signature}
        )
        builder.save()
    return tf.saved_model.contains_saved_model(path), sorted(signature.inputs), signature.method_name


def imported():
    """What a meta graph gives after its import."""
    path = os.path.join(folder(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        small_graph()
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        saver.save(session, path)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(path + ".meta").restore(session, path)
        return session.run("y:0", {"x:0": [[3.0, 4.0]]})


def initialized():
    """A variable that begins as a checkpoint left it."""
    path = os.path.join(folder(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable([1.0, 2.0], name="w")
        session.run(tf.global_variables_initializer())
        session.run(tf.assign(w, [5.0, 6.0]))
        tf.train.Saver().save(session, path)
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("v", [2])
        tf.train.init_from_checkpoint(path, {"w": w})
        session.run(tf.global_variables_initializer())
        return session.run(w)


def supervised():
    """The global step after some steps of a supervisor."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        update = tf.assign_add(step, 1)
        supervisor = tf.train.Supervisor(logdir=folder(), save_model_secs=0, summary_op=None)
        with supervisor.managed_session() as session:
            session.run(update)
            return session.run(step)


def run_by_queue():
    """What a queue runner puts into a queue."""
    queue = tf.FIFOQueue(5, [tf.float32], shapes=[[]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(3.0)])
    tf.train.add_queue_runner(runner)
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        value = session.run(queue.dequeue())
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=5)
    return value


def saved_by_hook():
    """The checkpoints that a hook leaves."""
    path = folder()
    hooked(lambda: tf.train.CheckpointSaverHook(path, save_steps=1))
    return tf.train.latest_checkpoint(path) is not None


def stopped_by_nan():
    """How a hook reacts to a loss that is no number."""
    step = tf.train.get_or_create_global_step()
    loss, update = tf.constant(np.nan), tf.assign_add(step, 1)
    try:
        with tf.train.MonitoredTrainingSession(hooks=[tf.train.NanTensorHook(loss)]) as session:
            session.run(update)
    except tf.train.NanLossDuringTrainingError:
        return "stopped"
    return "went on"


def final_values():
    """What a hook fetches at the end."""
    value = tf.constant(7)
    hook = tf.train.FinalOpsHook(value)
    with tf.train.MonitoredTrainingSession(hooks=[hook]) as session:
        session.run(value)
    return hook.final_ops_values


def written_graph():
    """The file that holds a graph."""
    path = folder()
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="only")
        tf.train.write_graph(graph.as_graph_def(), path, "g.pbtxt")
    with tf.gfile.GFile(os.path.join(path, "g.pbtxt")) as file:
        return "only" in file.read()


SNIPPETS = {
    "tf.train.MonitoredSession": lambda: counting(tf.train.MonitoredSession),
    "tf.train.SingularMonitoredSession": lambda: counting(tf.train.SingularMonitoredSession),
    "tf.train.MonitoredTrainingSession": lambda: counting(tf.train.MonitoredTrainingSession),
    "tf.train.StopAtStepHook": lambda: hooked(lambda: tf.train.StopAtStepHook(last_step=2)),
    "tf.train.StopAtStepHook / num_steps": lambda: hooked(lambda: tf.train.StopAtStepHook(num_steps=1)),
    "tf.train.LoggingTensorHook": lambda: hooked(lambda: tf.train.LoggingTensorHook({"a": tf.constant(1)}, 2)),
    "tf.train.StepCounterHook": lambda: hooked(lambda: tf.train.StepCounterHook(output_dir=folder())),
    "tf.train.SummarySaverHook": lambda: hooked(
        lambda: tf.train.SummarySaverHook(1, output_dir=folder(), summary_op=tf.summary.scalar("a", 1.0))
    ),
    "tf.train.FeedFnHook": lambda: hooked(lambda: tf.train.FeedFnHook(dict)),
    "tf.train.FinalOpsHook": final_values,
    "tf.train.GlobalStepWaiterHook": lambda: hooked(lambda: tf.train.GlobalStepWaiterHook(0)),
    "tf.train.NanTensorHook": stopped_by_nan,
    "tf.train.NanLossDuringTrainingError": stopped_by_nan,
    "tf.train.CheckpointSaverHook": saved_by_hook,
    "tf.train.CheckpointSaverListener": lambda: issubclass(tf.train.CheckpointSaverListener, object),
    "tf.train.SessionRunHook": recorded,
    "tf.train.SessionRunArgs": recorded,
    "tf.train.SessionRunContext": lambda: tf.train.SessionRunContext(None, None).stop_requested,
    "tf.train.SessionRunValues": lambda: tf.train.SessionRunValues(1, 2, 3).results,
    "tf.train.SecondOrStepTimer": lambda: tf.train.SecondOrStepTimer(every_steps=2).should_trigger_for_step(3),
    "tf.train.Scaffold": lambda: counting(
        lambda: tf.train.MonitoredSession(tf.train.ChiefSessionCreator(tf.train.Scaffold()))
    ),
    "tf.train.ChiefSessionCreator": lambda: counting(lambda: tf.train.MonitoredSession(tf.train.ChiefSessionCreator())),
    "tf.train.SessionManager": lambda: isinstance(tf.train.SessionManager(), object),
    "tf.train.Supervisor": supervised,
    "tf.train.QueueRunner": run_by_queue,
    "tf.train.add_queue_runner": run_by_queue,
    "tf.train.start_queue_runners": run_by_queue,
    "tf.train.import_meta_graph": imported,
    "tf.train.init_from_checkpoint": initialized,
    "tf.train.write_graph": written_graph,
    "tf.train.summary_iterator": lambda: events(write_summary),
    "tf.summary.FileWriter": lambda: events(write_summary),
    "tf.summary.FileWriterCache": lambda: events(write_cached),
    "tf.graph_util.convert_variables_to_constants": frozen,
    "tf.import_graph_def": frozen,
    "tf.graph_util.import_graph_def": frozen,
    "tf.graph_util.extract_sub_graph": extracted,
    "tf.saved_model.simple_save": exported,
    "tf.saved_model.loader.load": exported,
    "tf.saved_model.builder.SavedModelBuilder": built,
    "tf.saved_model.signature_def_utils.predict_signature_def": built,
    "tf.saved_model.contains_saved_model": built,
    "tf.test.compute_gradient_error": lambda: (
        tf.test.compute_gradient_error(*[item for x in [tf.constant([1.0, 2.0])] for item in (x, [2], x * x, [2])])
        < 1e-2
    ),
}
