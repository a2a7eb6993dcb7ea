"""The parts of `python -m bench.club`: many tables and watchers on one hub."""
