"""The versions of Inception, gathered."""

from .inception_v1 import inception_v1 as inception_v1
from .inception_v1 import inception_v1_arg_scope as inception_v1_arg_scope
from .inception_v1 import inception_v1_base as inception_v1_base
from .inception_v2 import inception_v2 as inception_v2
from .inception_v2 import inception_v2_arg_scope as inception_v2_arg_scope
from .inception_v2 import inception_v2_base as inception_v2_base
from .inception_v3 import inception_v3 as inception_v3
from .inception_v3 import inception_v3_arg_scope as inception_v3_arg_scope
from .inception_v3 import inception_v3_base as inception_v3_base
