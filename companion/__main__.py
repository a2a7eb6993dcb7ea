"""Python runs the package as the command `companion`.

May use `cli/`.
"""

import os

from companion.cli import main
from companion.cli.installed import VARIABLE

if __name__ == "__main__":
    main(prog_name="companion" if VARIABLE in os.environ else None)
