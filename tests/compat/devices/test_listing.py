"""`list_local_devices`: TF 1.15's entries, for the devices that this process really has."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest
import tensorflow as tf

import compat
from compat.devices import list_local_devices
from tests import warm
from tests.engine import migrated


def test_the_devices_are_those_of_tf_config() -> None:
    listed = {device.name: device for device in list_local_devices()}
    assert set(listed) == {device.name for device in tf.config.list_logical_devices()}
    # In TF 1.15.5 the entry of the CPU says 256 MiB too, whatever the machine has.
    assert listed["/device:CPU:0"].memory_limit == 2**28
    assert list_local_devices(compat.ConfigProto())[0].device_type == "CPU"


def test_the_settings_of_the_program_hold() -> None:
    program = """
        import tensorflow as tf
        import compat
        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
        tf.config.set_visible_devices([cpu])
        print([device.name for device in compat.devices.list_local_devices()])
    """
    done = warm.run([sys.executable, "-c", textwrap.dedent(program)])
    assert done.stdout == "['/device:CPU:0', '/device:CPU:1']\n", done.stderr


def test_the_private_function_becomes_it() -> None:
    code = "from tensorflow.python.client import device_lib\n\nprint(device_lib.list_local_devices()[0].name)\n"
    result = migrated(code)
    assert "compat.devices.list_local_devices()[0].name" in result.text
    (finding,) = (finding for finding in result.findings if finding.symbol.endswith("list_local_devices"))
    assert finding.action == "shimmed"
    module: dict[str, object] = {}
    exec(result.text, module)


@pytest.mark.usefixtures("gpu")
def test_a_gpu_that_grows_does_so_after_listing() -> None:
    program = """
        import tensorflow as tf
        import compat
        options = compat.ConfigProto()
        options.gpu_options.allow_growth = True
        (gpu,) = (device for device in compat.devices.list_local_devices(options) if device.device_type == "GPU")
        assert "compute capability" in gpu.physical_device_desc and gpu.memory_limit > 2**30
        assert tf.config.experimental.get_memory_growth(tf.config.list_physical_devices("GPU")[0])
        tf.matmul(tf.ones([256, 256]), tf.ones([256, 256]))
        print(tf.config.experimental.get_memory_info("GPU:0")["peak"] < 2**28)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=300)
    assert done.stdout == "True\n", done.stderr
