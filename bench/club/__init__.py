"""Many tables and watchers on one hub: what `python -m bench.club` is made of."""
