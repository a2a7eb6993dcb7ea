"""The known state of every space, and its changes that are not reported yet."""


class Spaces:
    """`now`: per space, a sorted list of UIDs in hex, True or False for presence, or None for unknown.

    `state` is its checksum, cached by its user: None when something has changed since.
    """

    def __init__(self, n: int) -> None:
        self.now = [None] * n
        self.changed = set()
        self.state = None

    def set(self, space: int, what) -> None:
        """Set the state of a space."""
        if self.now[space] != what or (what is None) != (self.now[space] is None):
            self.now[space] = what
            self.changed.add(space)
            self.state = None

    def forget(self) -> None:
        """Make every space unknown."""
        for space in range(len(self.now)):
            self.set(space, None)
