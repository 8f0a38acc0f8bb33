"""`tf.debugging` of TF 1.15: assertions that give an op to depend on."""

from ..bridge.v1 import assert_equal as assert_equal
from ..bridge.v1 import assert_greater as assert_greater
from ..bridge.v1 import assert_greater_equal as assert_greater_equal
from ..bridge.v1 import assert_integer as assert_integer
from ..bridge.v1 import assert_less as assert_less
from ..bridge.v1 import assert_less_equal as assert_less_equal
from ..bridge.v1 import assert_near as assert_near
from ..bridge.v1 import assert_negative as assert_negative
from ..bridge.v1 import assert_non_negative as assert_non_negative
from ..bridge.v1 import assert_non_positive as assert_non_positive
from ..bridge.v1 import assert_none_equal as assert_none_equal
from ..bridge.v1 import assert_positive as assert_positive
from ..bridge.v1 import assert_rank as assert_rank
from ..bridge.v1 import assert_rank_at_least as assert_rank_at_least
from ..bridge.v1 import assert_rank_in as assert_rank_in
from ..bridge.v1 import assert_scalar as assert_scalar
from ..bridge.v1 import assert_shapes as assert_shapes
from ..bridge.v1 import assert_type as assert_type
from ..bridge.v1 import verify_tensor_all_finite as assert_all_finite
