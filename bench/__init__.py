"""Measurements, one command each: `python -m bench.games`, `.latency`, `.streams`, `.host`.

Everything in one table was measured in one run, interleaved, on the machine that the table names:
ratios travel to another machine, milliseconds do not.
"""
