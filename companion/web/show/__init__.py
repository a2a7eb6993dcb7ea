"""Pages without controls: a screen in the bar, and an overlay over a stream."""
