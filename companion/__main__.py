"""Python runs the package as the command `companion`.

May use `cli/`.
"""

from companion.cli import main

if __name__ == "__main__":
    main()
