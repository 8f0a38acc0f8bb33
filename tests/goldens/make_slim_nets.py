"""Writes slim_nets.npz: what TF 1.15.5 gives for slim_net_cases.py.

.legacy/bin/python -m tests.goldens.make_slim_nets
"""

import importlib
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf

from tests.goldens import slim_net_cases as cases

slim = tf.contrib.slim
_FOLDER = "tensorflow.contrib.slim.python.slim.nets"
nets = importlib.import_module(_FOLDER)
for module in ("alexnet", "inception", "overfeat", "resnet_v1", "resnet_v2", "vgg"):
    importlib.import_module(_FOLDER + "." + module)


def told(graph, end_points):
    """What a graph and end points are, in words."""
    key = tf.GraphKeys
    counts = [len(graph.get_collection(each)) for each in (key.REGULARIZATION_LOSSES, key.UPDATE_OPS, "moving_vars")]
    return {
        "variables": [f"{each.op.name} {each.shape}" for each in graph.get_collection("variables")],
        "trainable": [each.op.name for each in graph.get_collection("trainable_variables")],
        "model": [each.op.name for each in graph.get_collection("model_variables")],
        "counts": [str(count) for count in counts],
        "end_points": [f"{name} {each.name} {each.shape}" for name, each in end_points.items()],
        "operations": cases.operations_of(graph),
        "seeds": [str(each.get_attr("seed2")) for each in graph.get_operations() if each.type in cases.RANDOM],
    }


def blocks_of(version, depth):
    """What a residual network of a depth is stacked from."""
    module, seen = getattr(nets, version), []
    whole = getattr(module, version)
    setattr(module, version, lambda *args, **kwargs: seen.extend([args, kwargs]))
    getattr(module, f"{version}_{depth}")("images", 7, False, False, 16, True)
    setattr(module, version, whole)
    blocks = [[block.scope, [sorted(unit.items()) for unit in block.args]] for block in seen[0][1]]
    return [repr(block) for block in blocks] + [repr(seen[1]["scope"])]


def run(name, images, net, end_points):
    """The numbers of a network with values by the rule, and those of its variables before and behind."""
    found = {}
    variables = tf.global_variables()
    losses = tf.losses.get_regularization_losses()
    given, points = cases.wanted(name, variables, end_points)
    fed = {images: cases.images_for(name)}
    with tf.Session() as session:
        if name not in cases.SIDES:
            session.run(tf.global_variables_initializer())
            found["initial"] = [np.mean(np.abs(each)) for each in session.run(variables)]
        for position, variable in given:
            variable.load(cases.value_for(position, variable.op.name, variable.shape.as_list()), session)
        found["points"] = [np.mean(np.abs(each)) for each in session.run(points, fed)]
        if name in cases.PARTS:
            return found
        found["outputs"], found["loss"] = session.run([net, tf.add_n(losses) if losses else tf.zeros([])], fed)
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        if updates:
            session.run(updates, fed)
            found["updated"] = [np.mean(np.abs(each)) for each in session.run(variables)]
    return found


def main():
    found = {
        f"{version}_{depth}/blocks": blocks_of(version, depth)
        for version in ("resnet_v1", "resnet_v2")
        for depth in (50, 101, 152, 200)
    }
    for name, case in [*cases.RUNS.items(), *cases.PARTS.items(), *cases.BUILDS.items()]:
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(3)
            images = tf.placeholder(tf.float32, cases.shape_for(name), name="images")
            net, end_points = case(slim, nets, images)
            results = told(graph, end_points)
            if name not in cases.BUILDS:
                results.update(run(name, images, net, end_points))
            found.update({name + "/" + kind: value for kind, value in results.items()})
    where = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slim_nets.npz")
    np.savez_compressed(where, **{name: np.array(value) for name, value in found.items()})
    print(len(found), "arrays", os.path.getsize(where), "bytes")


if __name__ == "__main__":
    main()
