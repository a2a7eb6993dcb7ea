"""Pages that only show: a screen in the bar, and a picture over a stream; nothing can be pressed on them."""
