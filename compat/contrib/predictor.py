"""`tf.contrib.predictor`: a model of a folder, or an Estimator's, as a function of NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..bridge import Graph, Session
from ..saved_model import loader
from ..saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

__all__ = ["from_estimator", "from_saved_model"]

_OLD_KEY = "default_input_alternative:{}"


class Predictor:
    """Gives the outputs of a signature for its inputs, each time that it is called; its session stays open."""

    def __init__(self, graph: Any, session: Any, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> None:
        self._graph, self._session = graph, session
        self._feeds = {key: graph.get_tensor_by_name(name) for key, name in inputs.items()}
        self._fetches = {key: graph.get_tensor_by_name(name) for key, name in outputs.items()}

    @property
    def graph(self) -> Any:
        """The graph."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session, with the values of the variables."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """The inputs by the words of the signature."""
        return self._feeds

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """The outputs by the words of the signature."""
        return self._fetches

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feeds} and fetch_tensors {self._fetches}"

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """The outputs for some inputs.

        Raises:
          ValueError: the signature has no such input.
        """
        unexpected = set(input_dict) - set(self._feeds)
        if unexpected:
            raise ValueError(f"Got unexpected keys in input_dict: {unexpected}\nexpected: {set(self._feeds)}")
        feeds = {self._feeds[key]: value for key, value in input_dict.items() if value is not None}
        found: dict[str, Any] = self._session.run(self._fetches, feeds)
        return found


class SavedModelPredictor(Predictor):
    """Of a SavedModel."""


class CoreEstimatorPredictor(Predictor):
    """Of an Estimator."""


def from_saved_model(
    export_dir: str,
    signature_def_key: str | None = None,
    signature_def: Any = None,
    input_names: Mapping[str, str] | None = None,
    output_names: Mapping[str, str] | None = None,
    tags: str | None = None,
    graph: Any = None,
    config: Any = None,
) -> SavedModelPredictor:
    """A predictor of the SavedModel in a folder.

    Args:
      export_dir: the folder.
      signature_def_key: which signature, `serving_default` where none is named.
      signature_def: the signature itself.
      input_names: names of tensors by words, in a signature's place.
      output_names: the same for what is computed.
      tags: the tags of the graph, with commas between them; `serve` where none are given.
      graph: the graph to import it into, a new one where none is given.
      config: options of the session.

    Raises:
      ValueError: it has no such signature, or several are given.

    Example:
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     x = compat.placeholder(tf.float32, [], name="x")
      ...     compat.saved_model.simple_save(session, "predicted", {"x": x}, {"y": 2.0 * x})
      >>> predict = from_saved_model("predicted")
      >>> predict({"x": 3.0})
      {'y': np.float32(6.0)}
    """
    if (input_names is None) != (output_names is None):
        raise ValueError("input_names and output_names must both be specified or both be unspecified.")
    if sum(each is not None for each in (signature_def_key, signature_def, input_names)) > 1:
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR(input_names AND output_names)."
        )
    graph = graph or Graph()
    with graph.as_default():
        session = Session(config=config)
        meta = loader.load(session, [tag.strip() for tag in (tags or "serve").split(",")], export_dir)
    if input_names is None or output_names is None:
        signature = signature_def or _signature(meta, signature_def_key or DEFAULT_SERVING_SIGNATURE_DEF_KEY)
        input_names, output_names = _names(signature)
    return SavedModelPredictor(graph, session, input_names, output_names)


def _signature(meta: Any, key: str) -> Any:
    for name in (key, _OLD_KEY.format(key)):
        if name in meta.signature_def:
            return meta.signature_def[name]
    raise ValueError(f'Got signature_def_key "{key}". Available signatures are {list(meta.signature_def)}.')


def _names(signature: Any) -> tuple[dict[str, str], dict[str, str]]:
    inputs, outputs = ({key: info.name for key, info in part.items()} for part in (signature.inputs, signature.outputs))
    return inputs, outputs


def from_estimator(
    estimator: Any,
    serving_input_receiver_fn: Callable[[], Any],
    output_key: str | None = None,
    graph: Any = None,
    config: Any = None,
) -> CoreEstimatorPredictor:
    """A predictor of an Estimator's last checkpoint.

    Args:
      estimator: the Estimator.
      serving_input_receiver_fn: makes what is fed, and the features that the model is given.
      output_key: which of the `export_outputs`, `serving_default` where none is named.
      graph: the graph to build it in, a new one where none is given.
      config: options of the session.

    Raises:
      KeyError: it has no such output.
    """
    from .. import train
    from ..estimator import ModeKeys

    key = output_key or DEFAULT_SERVING_SIGNATURE_DEF_KEY
    graph = graph or Graph()
    with graph.as_default():
        receiver = serving_input_receiver_fn()
        spec = estimator.model_fn(receiver.features, None, ModeKeys.PREDICT, estimator.config)
        output = (spec.export_outputs or {}).get(key)
        if output is None:
            raise KeyError(f"output_key must be one of {list(spec.export_outputs or {})}; got {key}")
        inputs = {name: tensor.name for name, tensor in receiver.receiver_tensors.items()}
        outputs = {name: tensor.name for name, tensor in output.outputs.items()}
        creator = train.ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
        session = train.MonitoredSession(session_creator=creator)
    return CoreEstimatorPredictor(graph, session, inputs, outputs)
