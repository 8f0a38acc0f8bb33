"""`tf.estimator.experimental` of TF 1.15."""

from .early_stopping import make_early_stopping_hook as make_early_stopping_hook
from .early_stopping import stop_if_higher_hook as stop_if_higher_hook
from .early_stopping import stop_if_lower_hook as stop_if_lower_hook
from .early_stopping import stop_if_no_decrease_hook as stop_if_no_decrease_hook
from .early_stopping import stop_if_no_increase_hook as stop_if_no_increase_hook
from .training import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook
