"""Where operations run: clusters that XLA compiles, and the check that nothing ran where it should not."""

from .listing import list_local_devices as list_local_devices
from .placement import Placed as Placed
from .placement import assert_placement as assert_placement
from .placement import placements as placements
from .xla import XlaDevice as XlaDevice
from .xla import xla_device as xla_device
