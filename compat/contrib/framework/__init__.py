"""``tf.contrib.framework`` of TF 1.x."""

from ...layers.branching import smart_cond as smart_cond
from .arg_scope import add_arg_scope as add_arg_scope
from .arg_scope import arg_scope as arg_scope
from .arg_scope import arg_scope_func_key as arg_scope_func_key
from .arg_scope import arg_scoped_arguments as arg_scoped_arguments
from .arg_scope import current_arg_scope as current_arg_scope
from .arg_scope import has_arg_scope as has_arg_scope
from .variables import add_model_variable as add_model_variable
from .variables import filter_variables as filter_variables
from .variables import get_local_variables as get_local_variables
from .variables import get_model_variables as get_model_variables
from .variables import get_trainable_variables as get_trainable_variables
from .variables import get_unique_variable as get_unique_variable
from .variables import get_variable_full_name as get_variable_full_name
from .variables import get_variables as get_variables
from .variables import get_variables_by_name as get_variables_by_name
from .variables import get_variables_by_suffix as get_variables_by_suffix
from .variables import get_variables_to_restore as get_variables_to_restore
from .variables import global_variable as global_variable
from .variables import local_variable as local_variable
from .variables import model_variable as model_variable
from .variables import variable as variable
