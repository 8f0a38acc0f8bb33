"""``tf.contrib.framework.python.ops.audio_ops`` of TF 1.x: the same kernels."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["audio_spectrogram", "decode_wav", "encode_wav", "mfcc"]

decode_wav = tf.audio.decode_wav
encode_wav = tf.audio.encode_wav


def audio_spectrogram(
    input: Any, window_size: int, stride: int, magnitude_squared: bool = False, name: str | None = None
) -> Any:
    """The spectrogram of samples: by channel, slice of time and frequency.

    Args:
      input: samples by time and channel.
      window_size, stride: how many samples a slice has, and how far the slices are apart.
      magnitude_squared: whether magnitudes are squared.
      name: of the operation.

    Example:
      >>> audio_spectrogram(tf.ones([8, 1]), window_size=4, stride=2).shape
      TensorShape([1, 3, 3])
    """
    return tf.raw_ops.AudioSpectrogram(
        input=input, window_size=window_size, stride=stride, magnitude_squared=magnitude_squared, name=name
    )


def mfcc(
    spectrogram: Any,
    sample_rate: Any,
    upper_frequency_limit: float = 4000,
    lower_frequency_limit: float = 20,
    filterbank_channel_count: int = 40,
    dct_coefficient_count: int = 13,
    name: str | None = None,
) -> Any:
    """The mel-frequency cepstral coefficients of a spectrogram.

    Args:
      spectrogram: squared magnitudes, as `audio_spectrogram` gives them.
      sample_rate: samples a second.
      upper_frequency_limit, lower_frequency_limit: what frequencies count.
      filterbank_channel_count: how many bands they are put into.
      dct_coefficient_count: how many coefficients each slice has.
      name: of the operation.

    Example:
      >>> magnitudes = audio_spectrogram(tf.ones([64, 1]), window_size=32, stride=16, magnitude_squared=True)
      >>> mfcc(magnitudes, 1600, upper_frequency_limit=700, dct_coefficient_count=5).shape
      TensorShape([1, 3, 5])
    """
    return tf.raw_ops.Mfcc(
        spectrogram=spectrogram,
        sample_rate=sample_rate,
        upper_frequency_limit=upper_frequency_limit,
        lower_frequency_limit=lower_frequency_limit,
        filterbank_channel_count=filterbank_channel_count,
        dct_coefficient_count=dct_coefficient_count,
        name=name,
    )
