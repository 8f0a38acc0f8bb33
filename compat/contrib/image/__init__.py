"""`tf.contrib.image` of TF 1.15, as far as programs use it."""

from .transforms import angles_to_projective_transforms as angles_to_projective_transforms
from .transforms import compose_transforms as compose_transforms
from .transforms import flat_transforms_to_matrices as flat_transforms_to_matrices
from .transforms import matrices_to_flat_transforms as matrices_to_flat_transforms
from .transforms import rotate as rotate
from .transforms import transform as transform
from .transforms import translate as translate
from .transforms import translations_to_projective_transforms as translations_to_projective_transforms
