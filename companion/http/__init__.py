"""Requests and connections, for the pages of a table and of a hub alike.

It has the addresses of this machine, sessions, roles, static files and limits. It may use the table's thread
and the journal, and knows no page and no view.
"""
