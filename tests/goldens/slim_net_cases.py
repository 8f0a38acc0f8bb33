"""Networks of slim, in TF 1.15.5 and in compat: how each is built, and the rule for its weights.

A case is a function of `slim`, of the package of networks and of images.
"""

import numpy as np

IMAGES = np.random.RandomState(5).uniform(-1.0, 1.0, [2, 33, 33, 3]).astype(np.float32)
RUNS = {}
"""Cases that run, by their names: (slim, nets, images) -> (net, end points)."""
PARTS = {}
"""Cases of which what is in front of the fully connected layers runs."""
BUILDS = {}
"""Cases that are built alone."""
SIDES = {"alexnet_v2": 195, "vgg_a": 37, "overfeat": 75, "inception_v1": 193, "inception_v3": 107}
"""The height and the width of the image for some cases that run."""


def adds(cases):
    """A decorator that adds a case to some."""

    def add(case):
        cases[case.__name__] = case
        return case

    return add


def images_for(name):
    """What a case is fed."""
    if name not in SIDES:
        return IMAGES
    side = SIDES[name]
    return np.random.RandomState(6).uniform(-1.0, 1.0, [1, side, side, 3]).astype(np.float32)


def shape_for(name):
    """The shape of a case's placeholder."""
    return [None, None, None, 3] if name in PARTS else [1, 224, 224, 3] if name in BUILDS else images_for(name).shape


def wanted(name, variables, end_points):
    """The variables that are given values, each with its position, and the end points that are run."""
    given = list(enumerate(variables))
    if name not in PARTS:
        return given, list(end_points.values())
    front = [each for each in end_points if "/fc" not in each]
    return [pair for pair in given if "/fc" not in pair[1].op.name], [end_points[each] for each in front]


def value_for(position, name, shape):
    """The value of the variable that was made as the `position`-th."""
    values = np.resize(np.random.RandomState(position).uniform(-1.0, 1.0, [9973]).astype(np.float32), shape)
    if "weights" in name:
        return values * np.float32(np.sqrt(6.0 / max(np.prod(shape[:-1]), 1)))
    return values * np.float32(0.2) + np.float32(0.0 if name.endswith(("beta", "biases", "mean")) else 1.0)


def _resnet(slim, module, images, *args, **kwargs):
    """A small residual network: two blocks with a stride of two each."""
    version = module.__name__.rpartition(".")[2]
    block = getattr(module, version + "_block")
    blocks = [
        block("block1", base_depth=2, num_units=2, stride=2),
        block("block2", base_depth=3, num_units=1, stride=2),
    ]
    with slim.arg_scope(module.resnet_arg_scope()):
        return getattr(module, version)(images, blocks, *args, **kwargs)


@adds(RUNS)
def resnet_v1_training(slim, nets, images):
    return _resnet(slim, nets.resnet_v1, images, 5, global_pool=False)


@adds(RUNS)
def resnet_v1_reused(slim, nets, images):
    _resnet(slim, nets.resnet_v1, images, 5, scope="net")
    return _resnet(slim, nets.resnet_v1, images * 0.5, 5, is_training=False, scope="net", reuse=True)


@adds(RUNS)
def resnet_v1_dense(slim, nets, images):
    return _resnet(slim, nets.resnet_v1, images, is_training=False, global_pool=False, output_stride=4)


@adds(RUNS)
def resnet_v1_pools_without_padding(slim, nets, images):
    unit = {"depth": 4, "depth_bottleneck": 2, "stride": 1}
    block = nets.resnet_utils.Block("a", nets.resnet_v1.bottleneck, [unit])
    with slim.arg_scope(nets.resnet_v1.resnet_arg_scope(0.01, 0.9, 1e-3, False)):  # noqa: SIM117 - Python 3.7
        with slim.arg_scope([slim.max_pool2d], padding="VALID"):
            return nets.resnet_v1.resnet_v1(images, [block], 3, is_training=False)


@adds(RUNS)
def resnet_v2(slim, nets, images):
    return _resnet(slim, nets.resnet_v2, images, 5, is_training=False)


@adds(RUNS)
def resnet_v2_training(slim, nets, images):
    return _resnet(slim, nets.resnet_v2, images, scope="net")


@adds(RUNS)
def resnet_v2_dense_without_root(slim, nets, images):
    return _resnet(slim, nets.resnet_v2, images, 4, False, False, output_stride=2, include_root_block=False)


@adds(RUNS)
def parts_of_residual_networks(slim, nets, images):
    net = nets.resnet_utils.conv2d_same(images, 4, 3, stride=2, rate=1, scope="even")
    net = nets.resnet_utils.conv2d_same(net, 4, 3, stride=1, rate=2, scope="spread")
    net = nets.resnet_utils.subsample(net, 3, scope="third")
    with slim.arg_scope([nets.resnet_v1.bottleneck, nets.resnet_v2.bottleneck], outputs_collections="units"):
        net = nets.resnet_v1.bottleneck(net, 8, 2, 1, rate=2)
        net = nets.resnet_v2.bottleneck(net, 8, 2, 2, scope="last")
    return net, slim.utils.convert_collection_to_dict("units")


@adds(RUNS)
def alexnet_v2(slim, nets, images):
    with slim.arg_scope(nets.alexnet.alexnet_v2_arg_scope()):
        return nets.alexnet.alexnet_v2(images, 6, dropout_keep_prob=0.7)


@adds(PARTS)
def vgg_a(slim, nets, images):
    with slim.arg_scope(nets.vgg.vgg_arg_scope()):
        return nets.vgg.vgg_a(images, 6, is_training=False, spatial_squeeze=False, scope="net")


@adds(PARTS)
def overfeat(slim, nets, images):
    with slim.arg_scope(nets.overfeat.overfeat_arg_scope(0.01)):
        return nets.overfeat.overfeat(images, 6, spatial_squeeze=False)


@adds(BUILDS)
def vgg_16(slim, nets, images):
    return nets.vgg.vgg_d(images)


@adds(BUILDS)
def vgg_19(slim, nets, images):
    with slim.arg_scope(nets.vgg.vgg_arg_scope(0.1)):
        return nets.vgg.vgg_19(images, 6, False, scope="net")


@adds(RUNS)
def inception_v1(slim, nets, images):
    with slim.arg_scope(nets.inception_v1.inception_v1_arg_scope(0.01)):
        return nets.inception.inception_v1(images, 6)


@adds(RUNS)
def inception_v2(slim, nets, images):
    with slim.arg_scope(nets.inception.inception_v2_arg_scope()):
        return nets.inception_v2.inception_v2(images, 6, False, min_depth=4, depth_multiplier=0.25)


@adds(RUNS)
def inception_v3(slim, nets, images):
    options = {"is_training": False, "min_depth": 4, "depth_multiplier": 0.25, "prediction_fn": slim.softmax}
    with slim.arg_scope(nets.inception.inception_v3_arg_scope(0.01, "averages", 0.9, 0.01)):
        return nets.inception.inception_v3(images, 6, spatial_squeeze=False, scope="net", **options)


@adds(BUILDS)
def inception_v1_without_batch_norm(slim, nets, images):
    with slim.arg_scope(nets.inception.inception_v1_arg_scope(use_batch_norm=False)):
        nets.inception.inception_v1_base(images, "Mixed_4b")
        return nets.inception.inception_v1_base(images[:, ::2], "MaxPool_3a_3x3", scope="other")


@adds(BUILDS)
def inception_v2_begins(slim, nets, images):
    with slim.arg_scope(nets.inception.inception_v2_arg_scope()):
        nets.inception.inception_v2_base(images, "Conv2d_1a_7x7")
        return nets.inception.inception_v2_base(images, "Mixed_3c", scope="other")


@adds(BUILDS)
def inception_v3_begins(slim, nets, images):
    with slim.arg_scope(nets.inception.inception_v3_arg_scope(updates_collections=None, use_fused_batchnorm=False)):
        return nets.inception.inception_v3_base(images, "Conv2d_3b_1x1", depth_multiplier=0.5)


@adds(BUILDS)
def resnet_v1_50(slim, nets, images):
    with slim.arg_scope(nets.resnet_v1.resnet_arg_scope()):
        return nets.resnet_v1.resnet_v1_50(images, 10)


RANDOM = ("RandomUniform", "TruncatedNormal", "RandomStandardNormal")
_KERNELS = ("Conv2D", "DepthwiseConv2dNative", "MaxPool", "AvgPool", "FusedBatchNormV3", "Mean", "Squeeze")
_OTHERS = ("Relu", "BiasAdd", "AddV2", "ConcatV2", "Softmax", "SpaceToBatchND", "BatchToSpaceND", "Pad")
_ATTRIBUTES = ("strides", "ksize", "padding", "dilations", "epsilon", "is_training", "keep_dims", "squeeze_dims")


def operations_of(graph):
    """The operations that compute images out of images, with their attributes."""
    lines = []
    for operation in graph.get_operations():
        if operation.type in _KERNELS + _OTHERS and "Initializer" not in operation.name:
            has = operation.node_def.attr
            attributes = [f"{name}={operation.get_attr(name)}" for name in _ATTRIBUTES if name in has]
            lines.append(" ".join([operation.type, operation.name, *attributes]))
    return lines
