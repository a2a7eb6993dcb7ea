"""The table: one thread with one inbox that makes every change, in parts for the journal, play, past games,
bots, odds and tutorial.

May use every room below. It knows no page. `step.py` says what a message makes of the table, `ledger.py` runs
the effects. Other threads read `snapshot.py`, an immutable value; `pulse.py` says whether the thread works.
"""
