"""View models: replies made from the table's state, one for each page or part of a page.

May use the table's picture, always through `seen_by`. It needs no Flask, no socket, no thread and no clock.
"""
