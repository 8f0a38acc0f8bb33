"""The embedding projector's configuration, and what programs import it as."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine import migrated
from tests.native.native import printed

PROGRAM = """\
import tensorflow as tf
IMPORTS

config = projector.ProjectorConfig()
config.model_checkpoint_path = "model"
for name in ("a", "b"):
    embedding = config.embeddings.add()
    embedding.tensor_name = name
    embedding.sprite.image_path = "all.png"
    embedding.sprite.single_image_dim.extend([28, 14])
config.embeddings.add(tensor_shape=[3, 2], metadata_path="words.tsv")
writer = tf.summary.FileWriter("FOLDER")
projector.visualize_embeddings(writer, config)
print(open("FOLDER/projector_config.pbtxt").read())
print(len(config.SerializeToString()), projector.ProjectorConfig.FromString(config.SerializeToString()) == config)
"""
IMPORTS = (
    "from tensorflow.contrib.tensorboard.plugins import projector",
    "import tensorflow.contrib.tensorboard.plugins.projector as projector",
    "projector = tf.contrib.tensorboard.plugins.projector",
)


@pytest.mark.filterwarnings("ignore:unclosed file")
@pytest.mark.parametrize("line", IMPORTS)
def test_what_is_written(line: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    code = PROGRAM.replace("IMPORTS", line)
    wanted = run_legacy(code.replace("FOLDER", str(tmp_path / "old")))
    assert printed(migrated(code.replace("FOLDER", str(tmp_path / "new"))).text) == wanted
    assert wanted.count("tensor_name") == 2


AUDIO = """\
import numpy as np
import tensorflow as tf
from tensorflow.contrib.framework.python.ops.audio_ops import audio_spectrogram, mfcc
from tensorflow.contrib.framework.python.ops import audio_ops

t = np.arange(800) / 800.0
wave = tf.constant(np.sin(90 * t)[:, None].astype("f"))
heard = audio_ops.decode_wav(audio_ops.encode_wav(wave, 800), desired_channels=1)
bands = audio_spectrogram(heard.audio, 160, 80, magnitude_squared=True)
found = mfcc(bands, heard.sample_rate, dct_coefficient_count=4, upper_frequency_limit=300)
with tf.Session() as sess:
    print(" ".join("%.2f" % number for number in sess.run(found)[0].ravel()), sess.run(bands).shape)
"""


def test_sounds(run_legacy: Callable[..., str]) -> None:
    assert printed(migrated(AUDIO).text) == run_legacy(AUDIO)
