"""The pins of a machine whose kernel has none: for the pad's reset alone, over a socket (cuse.py)."""  # noqa: N999  the name of the package
