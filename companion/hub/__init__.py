"""The hub of a club: it receives what many tables publish, stores it, and counts leagues over it. No table
needs it.

May use `http/`, the messages of `publishing/`, and matches and games, with which it checks what it receives.
It shares templates and styles with `web/`, but imports none of its code.

It reads what a broker passes on (docs/mqtt.md) and what an organiser imports. It writes to its own database
and nowhere else. Its pages are in `site/`.
"""
