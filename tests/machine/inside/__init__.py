"""Tests that run in the modelled machine, on the kernel of make check-machine; check_kernel/ starts them there.

python -m pytest tests/machine/inside/inside_pad.py        (not on a machine of your own)
"""
