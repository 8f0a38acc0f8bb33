"""What the readers give in TensorFlow 1.15.5.

.legacy/bin/python -m tests.goldens.make_readers
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    told = subprocess.check_output([sys.executable, os.path.join(HERE, "readers_program.py")])
    with open(os.path.join(HERE, "readers.json"), "w") as file:
        json.dump(json.loads(told.decode().splitlines()[-1]), file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
