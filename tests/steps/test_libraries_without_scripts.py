"""Modules of a library that import each other, and functions whose runs need what callers may leave out."""

from __future__ import annotations

from pathlib import Path

from tests.steps.migration import migrated

LIBRARY = {
    "lib-1.2/layers.py": """\
import tensorflow as tf

from . import files


def pretrain(sess, x, cost, rows, checked=None, accuracy=None):
    loss = sess.run(cost, feed_dict={x: rows})
    if checked is not None:
        if accuracy is not None:
            loss, _ = sess.run([cost, accuracy], feed_dict={x: checked})
        else:
            loss = sess.run(cost, feed_dict={x: checked})
    files.saved(sess, tf.trainable_variables())
    return loss
""",
    "lib-1.2/files.py": """\
import numpy as np
import tensorflow as tf

from . import layers


def saved(sess, variables):
    np.savez("model.npz", *sess.run(variables))
    return layers.pretrain
""",
}


def test_all_runs_of_a_library_have_a_form(tmp_path: Path) -> None:
    outcome = migrated(LIBRARY, tmp_path)
    sites = {(site.path, site.line): site.tier for site in outcome.report.sites}
    assert len(sites) == 4 and "bridge" not in sites.values()
    text = outcome.contents["lib-1.2/layers.py"].decode()
    assert ".run(" not in text.replace("compat.run(", "") and "def pretrain(x, cost," in text
