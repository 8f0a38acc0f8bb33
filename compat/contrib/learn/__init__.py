"""`tf.contrib.learn` of TF 1.15: data sets, modes, vocabularies, experiments over the Estimators of `tf.estimator`."""

from . import datasets as datasets
from . import experiment as experiment
from . import export_strategy as export_strategy
from . import learn_runner as learn_runner
from . import preprocessing as preprocessing
from . import run_config as run_config
from .experiment import Experiment as Experiment
from .export_strategy import ExportStrategy as ExportStrategy
from .export_strategy import make_export_strategy as make_export_strategy
from .mode_keys import ModeKeys as ModeKeys
from .run_config import RunConfig as RunConfig
