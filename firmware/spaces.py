"""What is known of every space, and what of it has not been told yet."""


class Spaces:
    """`now`: a space each, a sorted list of UIDs in hex, True or False for presence, or None for unknown.

    `state` is its checksum, for who computes it once: None when something has changed since.
    """

    def __init__(self, n: int) -> None:
        self.now = [None] * n
        self.changed = set()
        self.state = None

    def set(self, space: int, what) -> None:
        """A space is like this now."""
        if self.now[space] != what or (what is None) != (self.now[space] is None):
            self.now[space] = what
            self.changed.add(space)
            self.state = None

    def forget(self) -> None:
        """Nothing is known any more."""
        for space in range(len(self.now)):
            self.set(space, None)
