"""TF 1.x calls of assertions, files, records, tests and logging; the values are those of TF 1.15.5."""

import os
import tempfile

import numpy as np
import tensorflow as tf

X = np.array([1.0, 2.0], np.float32)
FOLDER = os.path.join(tempfile.gettempdir(), "tf_migrate_snippets")


def passed(check):
    """A value that waits for a check to pass."""
    with tf.control_dependencies([check] if check is not None else []):
        return tf.constant(1)


def folder():
    """An empty folder."""
    if tf.gfile.Exists(FOLDER):
        tf.gfile.DeleteRecursively(FOLDER)
    tf.gfile.MakeDirs(FOLDER)
    return FOLDER


def written(name="a.txt", text="first\nsecond\n"):
    """A new text file."""
    path = os.path.join(folder(), name)
    with tf.gfile.GFile(path, "w") as file:
        file.write(text)
    return path


def contents(opened):
    """What an open file holds."""
    with opened as file:
        return file.read()


def records():
    """A file of two records."""
    path = os.path.join(folder(), "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"one")
        writer.write(b"two")
    return path


def names(paths):
    """The last parts of paths, sorted."""
    return sorted(os.path.basename(path.rstrip("/")) for path in paths)


def copied(function):
    """The folder after copying or moving a file with `function`."""
    path = written()
    function(path, path + ".new")
    return names(tf.gfile.ListDirectory(FOLDER))


def overwritten():
    """A file after another was copied over it."""
    path = written()
    with tf.gfile.GFile(path + ".old", "w") as file:
        file.write("old")
    tf.gfile.Copy(path, path + ".old", overwrite=True)
    return contents(tf.gfile.GFile(path + ".old"))


def removed():
    """Whether a file is there before and after its removal."""
    path = written()
    before = tf.gfile.Exists(path)
    tf.gfile.Remove(path)
    return before, tf.gfile.Exists(path)


def made():
    """Whether a new folder is one."""
    path = os.path.join(folder(), "inner")
    tf.gfile.MkDir(path)
    return tf.gfile.IsDirectory(path), tf.gfile.IsDirectory(written())


def walked(**options):
    """The folders and files of a tree."""
    path = written()
    tf.gfile.MakeDirs(os.path.join(FOLDER, "inner", "most"))
    return [
        [os.path.relpath(top, FOLDER), sorted(folders), sorted(files)]
        for top, folders, files in tf.gfile.Walk(os.path.dirname(path), **options)
    ]


def raised(function):
    """The name of the error that a function raises."""
    try:
        function()
    except Exception as error:
        return type(error).__name__
    return "none"


SNIPPETS = {
    "tf.assert_equal": lambda: passed(tf.assert_equal(X, [1.0, 2.0], data=["d"], message="m")),
    "tf.assert_equal / positional": lambda: passed(tf.assert_equal(X, X, ["d"], 3, "m", "n")),
    "tf.assert_greater": lambda: passed(tf.assert_greater(X, 0.0, message="m")),
    "tf.assert_greater_equal": lambda: passed(tf.assert_greater_equal(X, 1.0, summarize=3)),
    "tf.assert_less": lambda: passed(tf.assert_less(X, 3.0)),
    "tf.assert_less_equal": lambda: passed(tf.assert_less_equal(X, 2.0)),
    "tf.assert_near": lambda: passed(tf.assert_near(X, X + 1e-8)),
    "tf.assert_near / positional": lambda: passed(tf.assert_near(X, X + 0.1, 0.5, 0.5, ["d"], 3, "m", "n")),
    "tf.assert_negative": lambda: passed(tf.assert_negative(-X, ["d"])),
    "tf.assert_non_negative": lambda: passed(tf.assert_non_negative(X)),
    "tf.assert_non_positive": lambda: passed(tf.assert_non_positive(-X)),
    "tf.assert_none_equal": lambda: passed(tf.assert_none_equal(X, 5.0, None, 3, "m")),
    "tf.assert_positive": lambda: passed(tf.assert_positive(X)),
    "tf.assert_integer": lambda: passed(tf.assert_integer(tf.constant([1]))),
    "tf.assert_integer / fails": lambda: raised(lambda: tf.assert_integer(tf.constant([1.0]))),
    "tf.assert_rank": lambda: passed(tf.assert_rank(X, 1, data=["d"])),
    "tf.assert_rank / fails": lambda: raised(lambda: tf.assert_rank(X, 2)),
    "tf.assert_rank_at_least": lambda: passed(tf.assert_rank_at_least(X, 1)),
    "tf.assert_rank_in": lambda: passed(tf.assert_rank_in(X, [1, 2])),
    "tf.assert_scalar": lambda: tf.assert_scalar(tf.constant(1.0)),
    "tf.assert_type": lambda: passed(tf.assert_type(tf.constant(1.0), tf.float32)),
    "tf.assert_proper_iterable": lambda: tf.assert_proper_iterable([1, 2]),
    "tf.assert_same_float_dtype": lambda: str(tf.assert_same_float_dtype([tf.constant(1.0)])),
    "tf.check_numerics": lambda: tf.check_numerics(X, "m"),
    "tf.verify_tensor_all_finite": lambda: tf.verify_tensor_all_finite(X, "m"),
    "tf.verify_tensor_all_finite / keywords": lambda: tf.verify_tensor_all_finite(t=X, msg="m", name="n"),
    "tf.debugging.assert_all_finite": lambda: tf.debugging.assert_all_finite(x=X, message="m"),
    "tf.gfile.Exists": lambda: [tf.gfile.Exists(written()), tf.gfile.Exists(filename="/no/such/file")],
    "tf.gfile.MakeDirs": lambda: tf.gfile.IsDirectory(folder()),
    "tf.gfile.MkDir": made,
    "tf.gfile.IsDirectory": made,
    "tf.gfile.GFile": lambda: contents(tf.gfile.GFile(written())),
    "tf.gfile.Open": lambda: contents(tf.gfile.Open(written(), "rb")),
    "tf.gfile.FastGFile": lambda: contents(tf.gfile.FastGFile(written(), "r")),
    "tf.gfile.Glob": lambda: names(tf.gfile.Glob(os.path.dirname(written()) + "/*.txt")),
    "tf.gfile.Glob / filename": lambda: names(tf.gfile.Glob(filename=[os.path.dirname(written()) + "/a*"])),
    "tf.gfile.ListDirectory": lambda: names(tf.gfile.ListDirectory(os.path.dirname(written()))),
    "tf.gfile.Copy": lambda: copied(tf.gfile.Copy),
    "tf.gfile.Copy / overwrite": overwritten,
    "tf.gfile.Rename": lambda: copied(lambda old, new: tf.gfile.Rename(oldname=old, newname=new)),
    "tf.gfile.Remove": removed,
    "tf.gfile.DeleteRecursively": lambda: [tf.gfile.DeleteRecursively(folder()), tf.gfile.Exists(FOLDER)],
    "tf.gfile.Stat": lambda: tf.gfile.Stat(written()).length,
    "tf.gfile.Walk": walked,
    "tf.gfile.Walk / in_order": lambda: walked(in_order=False),
    "tf.read_file": lambda: tf.read_file(written()),
    "tf.write_file": lambda: passed(tf.write_file(os.path.join(folder(), "b.txt"), "text")),
    "tf.matching_files": lambda: tf.size(tf.matching_files(os.path.dirname(written()) + "/*")),
    "tf.python_io.TFRecordWriter": lambda: tf.gfile.Stat(records()).length,
    "tf.python_io.tf_record_iterator": lambda: list(tf.python_io.tf_record_iterator(records())),
    "tf.python_io.TFRecordOptions": lambda: (
        tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP).compression_type
    ),
    "tf.python_io.TFRecordCompressionType": lambda: [
        tf.python_io.TFRecordCompressionType.NONE,
        tf.python_io.TFRecordCompressionType.ZLIB,
        tf.python_io.TFRecordCompressionType.GZIP,
    ],
    "tf.logging.info": lambda: tf.logging.info("value %d", 1),
    "tf.logging.warning": lambda: tf.logging.warning("value %d", 1),
    "tf.logging.warn": lambda: tf.logging.warn("value %d", 1),
    "tf.logging.error": lambda: tf.logging.error("value %d", 1),
    "tf.logging.debug": lambda: tf.logging.debug("value %d", 1),
    "tf.logging.log": lambda: tf.logging.log(tf.logging.INFO, "value %d", 1),
    "tf.logging.vlog": lambda: tf.logging.vlog(1, "value %d", 1),
    "tf.logging.log_if": lambda: tf.logging.log_if(tf.logging.INFO, "value", False),
    "tf.logging.log_first_n": lambda: tf.logging.log_first_n(tf.logging.INFO, "value", 1),
    "tf.logging.log_every_n": lambda: tf.logging.log_every_n(tf.logging.INFO, "value", 5),
    "tf.logging.get_verbosity": lambda: isinstance(tf.logging.get_verbosity(), int),
    "tf.logging.set_verbosity": lambda: [tf.logging.set_verbosity(tf.logging.ERROR), tf.logging.get_verbosity()],
    "tf.logging.TaskLevelStatusMessage": lambda: tf.logging.TaskLevelStatusMessage("value"),
    "tf.errors.InvalidArgumentError": lambda: tf.errors.InvalidArgumentError(None, None, "m").message,
    "tf.errors.OutOfRangeError": lambda: tf.errors.OutOfRangeError(None, None, "m").error_code,
    "tf.errors.NotFoundError": lambda: tf.errors.NotFoundError(None, None, "m").error_code,
    "tf.errors.UnimplementedError": lambda: tf.errors.UnimplementedError(None, None, "m").error_code,
    "tf.errors.OpError": lambda: issubclass(tf.errors.AbortedError, tf.errors.OpError),
    "tf.errors.AbortedError": lambda: tf.errors.AbortedError(None, None, "m").error_code,
    "tf.errors.AlreadyExistsError": lambda: tf.errors.AlreadyExistsError(None, None, "m").error_code,
    "tf.errors.CancelledError": lambda: tf.errors.CancelledError(None, None, "m").error_code,
    "tf.errors.DataLossError": lambda: tf.errors.DataLossError(None, None, "m").error_code,
    "tf.errors.DeadlineExceededError": lambda: tf.errors.DeadlineExceededError(None, None, "m").error_code,
    "tf.errors.FailedPreconditionError": lambda: tf.errors.FailedPreconditionError(None, None, "m").error_code,
    "tf.errors.InternalError": lambda: tf.errors.InternalError(None, None, "m").error_code,
    "tf.errors.PermissionDeniedError": lambda: tf.errors.PermissionDeniedError(None, None, "m").error_code,
    "tf.errors.ResourceExhaustedError": lambda: tf.errors.ResourceExhaustedError(None, None, "m").error_code,
    "tf.errors.UnauthenticatedError": lambda: tf.errors.UnauthenticatedError(None, None, "m").error_code,
    "tf.errors.UnavailableError": lambda: tf.errors.UnavailableError(None, None, "m").error_code,
    "tf.test.TestCase": lambda: issubclass(tf.test.TestCase, object),
    "tf.test.is_gpu_available": lambda: tf.test.is_gpu_available(),
    "tf.test.is_built_with_cuda": lambda: isinstance(tf.test.is_built_with_cuda(), bool),
    "tf.test.gpu_device_name": lambda: tf.test.gpu_device_name(),
    "tf.test.get_temp_dir": lambda: os.path.isdir(tf.test.get_temp_dir()),
    "tf.ConfigProto": lambda: tf.ConfigProto(allow_soft_placement=True).allow_soft_placement,
    "tf.GPUOptions": lambda: tf.GPUOptions(allow_growth=True).allow_growth,
    "tf.GraphOptions": lambda: tf.GraphOptions(build_cost_model=2).build_cost_model,
    "tf.OptimizerOptions": lambda: tf.OptimizerOptions(opt_level=0).opt_level,
    "tf.RunOptions": lambda: tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE).trace_level,
    "tf.RunMetadata": lambda: len(tf.RunMetadata().partition_graphs),
    "tf.GraphDef": lambda: len(tf.GraphDef().node),
    "tf.MetaGraphDef": lambda: len(tf.MetaGraphDef().collection_def),
    "tf.NodeDef": lambda: tf.NodeDef(name="n", op="Add").op,
    "tf.AttrValue": lambda: tf.AttrValue(i=3).i,
    "tf.NameAttrList": lambda: tf.NameAttrList(name="n").name,
    "tf.Summary": lambda: tf.Summary(value=[tf.Summary.Value(tag="t", simple_value=1.5)]).value[0].simple_value,
    "tf.Event": lambda: tf.Event(step=3).step,
    "tf.HistogramProto": lambda: tf.HistogramProto(min=1.0).min,
    "tf.LogMessage": lambda: tf.LogMessage(message="m").message,
    "tf.train.ClusterSpec": lambda: tf.train.ClusterSpec({"worker": ["a:1", "b:2"]}).num_tasks("worker"),
    "tf.train.ClusterDef": lambda: len(tf.train.ClusterDef().job),
    "tf.train.JobDef": lambda: tf.train.JobDef(name="j").name,
    "tf.train.ServerDef": lambda: tf.train.ServerDef(job_name="j").job_name,
    "tf.train.SaverDef": lambda: tf.train.SaverDef(max_to_keep=3).max_to_keep,
    "tf.DeviceSpec": lambda: tf.DeviceSpec(job="worker", device_type="CPU", device_index=0).to_string(),
    "tf.AggregationMethod": lambda: [tf.AggregationMethod.ADD_N, tf.AggregationMethod.DEFAULT],
    "tf.UnconnectedGradients": lambda: tf.UnconnectedGradients.ZERO.value,
    "tf.VariableAggregation": lambda: tf.VariableAggregation.MEAN.value,
    "tf.VariableSynchronization": lambda: tf.VariableSynchronization.AUTO.value,
}
