"""Networks of slim: TF 1.15.5's variables, operations, end points and seeds, and its numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens import slim_net_cases as cases

slim = compat.contrib.slim
nets = slim.nets
ALL = {**cases.RUNS, **cases.PARTS, **cases.BUILDS}
with np.load(Path(cases.__file__).with_name("slim_nets.npz")) as kept:
    EXPECTED = {name: kept[name] for name in kept.files}


def _told(graph: Any, end_points: dict[str, Any]) -> dict[str, list[str]]:
    """What a graph and end points are, in words, as tests/goldens/make_slim_nets.py tells it."""
    key = compat.GraphKeys
    losses, updates = key.REGULARIZATION_LOSSES, key.UPDATE_OPS
    return {
        "variables": [f"{each.op.name} {_shape(each)}" for each in compat.global_variables()],
        "trainable": [each.op.name for each in compat.trainable_variables()],
        "model": [each.op.name for each in slim.get_model_variables()],
        "counts": [str(len(compat.get_collection(each))) for each in (losses, updates, "moving_vars")],
        "end_points": [f"{name} {each.name} {_shape(each)}" for name, each in end_points.items()],
        "operations": [_as_tf1_named(each) for each in cases.operations_of(graph)],
        "seeds": [str(each.get_attr("seed2")) for each in graph.get_operations() if each.type in cases.RANDOM],
    }


def _check(name: str, kind: str, values: Any) -> None:
    """Compares numbers, against the size of the largest: others of TensorFlow's kernels round the last bits."""
    expected = EXPECTED[f"{name}/{kind}"]
    np.testing.assert_allclose(values, expected, rtol=2e-5, atol=1e-5 * np.abs(expected).max(), err_msg=kind)


def _shape(value: Any) -> str:
    """A shape as TF 1.15.5 writes it."""
    return str(value.shape).replace("None", "?")


def _as_tf1_named(operation: str) -> str:
    """TensorFlow 2's convolution opens a scope of its own where it spreads its windows."""
    return operation.replace("/convolution/", "/").replace("/convolution ", "/Conv2D ")


@pytest.mark.parametrize("name", ALL)
def test_a_network(name: str) -> None:
    with compat.Graph().as_default() as graph:
        compat.set_random_seed(3)
        images = compat.placeholder(tf.float32, cases.shape_for(name), name="images")
        net, end_points = ALL[name](slim, nets, images)
        for kind, words in _told(graph, end_points).items():
            assert words == EXPECTED[f"{name}/{kind}"].tolist(), kind
        if name not in cases.BUILDS:
            _run(name, images, net, end_points)


def _run(name: str, images: Any, net: Any, end_points: dict[str, Any]) -> None:
    variables = compat.global_variables()
    losses = compat.losses.get_regularization_losses()
    given, points = cases.wanted(name, variables, end_points)
    fed = {images: cases.images_for(name)}
    with compat.Session() as session:
        if name not in cases.SIDES:
            session.run(compat.global_variables_initializer())
            _check(name, "initial", [np.mean(np.abs(each)) for each in session.run(variables)])
        for position, variable in given:
            variable.load(cases.value_for(position, variable.op.name, variable.shape.as_list()), session)
        _check(name, "points", [np.mean(np.abs(each)) for each in session.run(points, fed)])
        if name in cases.PARTS:
            return
        outputs, loss = session.run([net, tf.add_n(losses) if losses else tf.zeros([])], fed)
        _check(name, "outputs", outputs)
        _check(name, "loss", loss)
        updates = compat.get_collection(compat.GraphKeys.UPDATE_OPS)
        if updates:
            session.run(updates, fed)
            _check(name, "updated", [np.mean(np.abs(each)) for each in session.run(variables)])


@pytest.mark.parametrize(
    "name",
    [
        *("resnet_v1_50", "resnet_v1_101", "resnet_v1_152", "resnet_v1_200"),
        *("resnet_v2_50", "resnet_v2_101", "resnet_v2_152", "resnet_v2_200"),
    ],
)
def test_what_a_residual_network_is_stacked_from(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    version = name.rpartition("_")[0]
    module = getattr(nets, version)
    seen: list[Any] = []
    monkeypatch.setattr(module, "residual_network", lambda *args, **kwargs: seen.extend([args, kwargs]))
    getattr(module, name)("images", 7, False, False, 16, True)
    (images, blocks, *others, include_root_block, reuse, scope), options = seen
    assert (images, others, reuse) == ("images", [7, False, False, 16], True)
    assert include_root_block and options["unit_fn"] is module.bottleneck
    found = [repr([block.scope, [sorted(unit.items()) for unit in block.args]]) for block in blocks]
    assert [*found, repr(scope)] == EXPECTED[f"{name}/blocks"].tolist()
    assert {block.unit_fn for block in blocks} == {module.bottleneck}


@pytest.mark.parametrize("version", ["resnet_v1", "resnet_v2"])
def test_strides_that_are_not_reached(version: str) -> None:
    module = getattr(nets, version)
    block = getattr(module, f"{version}_block")("block1", base_depth=1, num_units=1, stride=4)
    images = tf.ones([1, 9, 9, 3])
    for stride, message in ((6, "multiple of 4"), (8, "cannot be reached"), (64, "cannot be reached")):
        with compat.Graph().as_default(), pytest.raises(ValueError, match=re.escape(message)):
            getattr(module, version)(images, [block], output_stride=stride)


def test_wrong_use_of_inception() -> None:
    images = tf.ones([1, 32, 32, 3])
    with compat.Graph().as_default(), pytest.raises(ValueError, match="Unknown final endpoint Mixed_9z"):
        nets.inception.inception_v1_base(images, "Mixed_9z")
    for network in ("inception_v2", "inception_v2_base", "inception_v3", "inception_v3_base"):
        with compat.Graph().as_default(), pytest.raises(ValueError, match="not greater than zero"):
            getattr(nets.inception, network)(images, depth_multiplier=0.0)


def test_without_a_graph() -> None:
    """The same numbers where layers run at once over a store's variables."""
    store = compat.VariableStore()
    case = cases.RUNS["resnet_v2"]
    with store:
        case(slim, nets, tf.constant(cases.IMAGES))
    for position, variable in enumerate(store.variables):
        variable.assign(cases.value_for(position, variable.name.removesuffix(":0"), variable.shape.as_list()))
    with store:
        net, end_points = case(slim, nets, tf.constant(cases.IMAGES))
    _check("resnet_v2", "outputs", net)
    names = [each.split(" ")[0] for each in EXPECTED["resnet_v2/end_points"].tolist()]
    assert list(end_points) == names


def test_sizes_of_images() -> None:
    vgg = nets.vgg
    networks = [nets.resnet_v1.resnet_v1, nets.resnet_v2.resnet_v2, vgg.vgg_a, vgg.vgg_16, vgg.vgg_e]
    networks += [nets.alexnet.alexnet_v2, nets.inception.inception_v1, nets.inception.inception_v2]
    assert {network.default_image_size for network in networks} == {224}
    assert nets.inception.inception_v3.default_image_size == 299
    assert nets.inception.inception_v3 is nets.inception_v3.inception_v3
