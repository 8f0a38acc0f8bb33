"""`tf.image` of TF 1.15: sampling without half-pixel centres, and what TF2 lacks."""

from ..bridge.v1 import ResizeMethod as ResizeMethod
from ..bridge.v1 import crop_and_resize as crop_and_resize
from ..bridge.v1 import draw_bounding_boxes as draw_bounding_boxes
from ..bridge.v1 import extract_glimpse as extract_glimpse
from ..bridge.v1 import extract_image_patches as extract_image_patches
from ..bridge.v1 import extract_patches as extract_patches
from ..bridge.v1 import resize_area as resize_area
from ..bridge.v1 import resize_bicubic as resize_bicubic
from ..bridge.v1 import resize_bilinear as resize_bilinear
from ..bridge.v1 import resize_image_with_pad as resize_image_with_pad
from ..bridge.v1 import resize_images as resize
from ..bridge.v1 import resize_images as resize_images
from ..bridge.v1 import resize_nearest_neighbor as resize_nearest_neighbor
from ..bridge.v1 import sample_distorted_bounding_box as sample_distorted_bounding_box
from .standardization import per_image_standardization as per_image_standardization
