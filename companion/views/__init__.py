"""What a viewer is shown: replies made of the table's state, by page, without a server.

It may use the table's picture, through `seen_by` wherever a viewer could see too much. It knows no Flask, no
socket, no thread and no clock.
"""
