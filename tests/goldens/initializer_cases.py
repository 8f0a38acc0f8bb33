"""Initializers to compare with TF 1.15.5: name -> (function of the namespace, shape, dtype). Python 3.7 syntax."""

KERNEL = [3, 2, 4, 5]
MATRIX = [6, 4]

CASES = {
    "zeros": (lambda tf: tf.zeros_initializer(), MATRIX, "float32"),
    "zeros class": (lambda tf: tf.zeros_initializer, MATRIX, "int32"),
    "ones": (lambda tf: tf.ones_initializer(), MATRIX, "float64"),
    "constant": (lambda tf: tf.constant_initializer(2.5), MATRIX, "float32"),
    "constant list": (lambda tf: tf.constant_initializer([1, 2, 3]), [2, 3], "float32"),
    "constant filled": (lambda tf: tf.constant_initializer([1.0, 2.0, 3.0]), [2, 4], "float32"),
    "random_uniform": (lambda tf: tf.random_uniform_initializer(-1, 2, seed=3), MATRIX, "float32"),
    "random_uniform int": (lambda tf: tf.random_uniform_initializer(0, 9, seed=3), MATRIX, "int32"),
    "random_normal": (lambda tf: tf.random_normal_initializer(seed=3), MATRIX, "float32"),
    "random_normal float64": (lambda tf: tf.random_normal_initializer(1.0, 0.02, seed=4), MATRIX, "float64"),
    "truncated_normal": (lambda tf: tf.truncated_normal_initializer(stddev=0.02, seed=5), MATRIX, "float32"),
    "uniform_unit_scaling": (lambda tf: tf.uniform_unit_scaling_initializer(1.43, seed=6), KERNEL, "float32"),
    "variance_scaling": (lambda tf: tf.variance_scaling_initializer(seed=7), KERNEL, "float32"),
    "variance_scaling fan_out": (
        lambda tf: tf.variance_scaling_initializer(2.0, "fan_out", "untruncated_normal", seed=8),
        KERNEL,
        "float32",
    ),
    "variance_scaling uniform": (
        lambda tf: tf.variance_scaling_initializer(0.5, "fan_avg", "uniform", seed=9),
        MATRIX,
        "float32",
    ),
    "glorot_uniform": (lambda tf: tf.glorot_uniform_initializer(seed=10), MATRIX, "float32"),
    "glorot_normal": (lambda tf: tf.glorot_normal_initializer(seed=10), KERNEL, "float32"),
    "he_normal": (lambda tf: tf.initializers.he_normal(11), MATRIX, "float32"),
    "he_uniform": (lambda tf: tf.initializers.he_uniform(11), [7], "float32"),
    "lecun_normal": (lambda tf: tf.initializers.lecun_normal(11), MATRIX, "float32"),
    "lecun_uniform": (lambda tf: tf.initializers.lecun_uniform(11), [], "float32"),
    "orthogonal wide": (lambda tf: tf.orthogonal_initializer(2.0, seed=12), [4, 6], "float32"),
    "orthogonal kernel": (lambda tf: tf.orthogonal_initializer(seed=12), KERNEL, "float32"),
    "identity": (lambda tf: tf.initializers.identity(0.5), [3, 4], "float32"),
    "xavier": (lambda tf: tf.contrib.layers.xavier_initializer(seed=13), KERNEL, "float32"),
    "xavier normal": (lambda tf: tf.contrib.layers.xavier_initializer(uniform=False, seed=13), MATRIX, "float32"),
    "xavier conv2d": (lambda tf: tf.contrib.layers.xavier_initializer_conv2d(seed=14), KERNEL, "float32"),
    "contrib variance_scaling": (
        lambda tf: tf.contrib.layers.variance_scaling_initializer(seed=15),
        KERNEL,
        "float32",
    ),
    "contrib variance_scaling fan_out": (
        lambda tf: tf.contrib.layers.variance_scaling_initializer(1.0, "FAN_OUT", True, seed=16),
        [5],
        "float32",
    ),
}
