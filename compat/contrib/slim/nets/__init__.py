"""``tf.contrib.slim.nets`` of TF 1.x: networks for images, with the names that their checkpoints have."""

from . import alexnet as alexnet
from . import overfeat as overfeat
from . import resnet_utils as resnet_utils
from . import resnet_v1 as resnet_v1
from . import resnet_v2 as resnet_v2
from . import vgg as vgg
