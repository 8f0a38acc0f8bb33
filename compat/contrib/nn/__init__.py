"""`tf.contrib.nn` of TF 1.15, as far as programs use it."""

from .functions import alpha_dropout as alpha_dropout
from .functions import (
    deprecated_flipped_sigmoid_cross_entropy_with_logits as deprecated_flipped_sigmoid_cross_entropy_with_logits,
)
from .functions import (
    deprecated_flipped_softmax_cross_entropy_with_logits as deprecated_flipped_softmax_cross_entropy_with_logits,
)
from .functions import (
    deprecated_flipped_sparse_softmax_cross_entropy_with_logits as deprecated_flipped_sparse_softmax_cross_entropy_with_logits,  # noqa: E501
)
from .functions import nth_element as nth_element
