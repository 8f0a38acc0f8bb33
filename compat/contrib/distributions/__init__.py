"""`tf.contrib.distributions` of TF 1.15: those that the core had too, and what goes with them."""

from ...bridge.v1 import FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED
from ...bridge.v1 import NOT_REPARAMETERIZED as NOT_REPARAMETERIZED
from ...bridge.v1 import Bernoulli as Bernoulli
from ...bridge.v1 import Beta as Beta
from ...bridge.v1 import Categorical as Categorical
from ...bridge.v1 import Dirichlet as Dirichlet
from ...bridge.v1 import DirichletMultinomial as DirichletMultinomial
from ...bridge.v1 import Distribution as Distribution
from ...bridge.v1 import Exponential as Exponential
from ...bridge.v1 import Gamma as Gamma
from ...bridge.v1 import Laplace as Laplace
from ...bridge.v1 import Multinomial as Multinomial
from ...bridge.v1 import Normal as Normal
from ...bridge.v1 import RegisterKL as RegisterKL
from ...bridge.v1 import ReparameterizationType as ReparameterizationType
from ...bridge.v1 import StudentT as StudentT
from ...bridge.v1 import Uniform as Uniform
from ...bridge.v1 import kl_divergence as kl_divergence
from .softplus import softplus_inverse as softplus_inverse
