import numpy as np
import tensorflow as tf


def make_domain(kind, count, size, seed):
    """Images of domain A (bright discs) or of domain B (dark frames), uint8 as they come from a camera."""
    random = np.random.RandomState(seed)
    rows, columns = np.mgrid[:size, :size]
    middle = (size - 1) / 2.0
    radius = random.uniform(1.5, 3.0, (count, 1, 1))
    if kind == 'A':
        mask = (rows - middle) ** 2 + (columns - middle) ** 2 < radius ** 2
    else:
        mask = np.maximum(abs(rows - middle), abs(columns - middle)) > radius
    level = random.randint(120, 250, (count, 1, 1, 3))
    return (mask[..., np.newaxis] * level).astype(np.uint8)


def image_processing(image):
    return tf.cast(image, tf.float32) / 127.5 - 1.0


def make_dataset(images, batch_size):
    dataset = tf.data.Dataset.from_tensor_slices(images)
    return dataset.map(image_processing, num_parallel_calls=2).repeat().batch(batch_size, drop_remainder=True)
