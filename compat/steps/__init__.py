"""Steps: graph-building code that runs once, and functions that are pruned from what it built."""

from .configuration import configure as configure
from .inputs import Input as Input
from .inputs import SparseInput as SparseInput
from .recording import build as build
from .recording import builder as builder
from .recording import building as building
from .restart import restart as restart
from .step import Step as Step
from .step import run as run
from .step import step as step
