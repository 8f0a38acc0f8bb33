"""`tf.estimator` of TF 1.15, which TensorFlow removed in 2.16: the same training loop over bridge graphs."""

from ..train import CheckpointSaverHook as CheckpointSaverHook
from ..train import CheckpointSaverListener as CheckpointSaverListener
from ..train import FeedFnHook as FeedFnHook
from ..train import FinalOpsHook as FinalOpsHook
from ..train import GlobalStepWaiterHook as GlobalStepWaiterHook
from ..train import LoggingTensorHook as LoggingTensorHook
from ..train import NanLossDuringTrainingError as NanLossDuringTrainingError
from ..train import NanTensorHook as NanTensorHook
from ..train import SessionRunArgs as SessionRunArgs
from ..train import SessionRunContext as SessionRunContext
from ..train import SessionRunHook as SessionRunHook
from ..train import SessionRunValues as SessionRunValues
from ..train import StepCounterHook as StepCounterHook
from ..train import StopAtStepHook as StopAtStepHook
from ..train import SummarySaverHook as SummarySaverHook
from . import export as export
from . import inputs as inputs
from .estimator import Estimator as Estimator
from .run_config import RunConfig as RunConfig
from .spec import EstimatorSpec as EstimatorSpec
from .spec import ModeKeys as ModeKeys
from .training import EvalSpec as EvalSpec
from .training import FinalExporter as FinalExporter
from .training import LatestExporter as LatestExporter
from .training import TrainSpec as TrainSpec
from .training import train_and_evaluate as train_and_evaluate
