"""What a tag means, and how a box gets its tags.

May use the journal, games, and readings of `devices/`.
"""
