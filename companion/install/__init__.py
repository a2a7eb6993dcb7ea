"""What `companion install` puts on a machine, updates, and removes again.

May use settings of the hotspot, the firmware copier in `devices/` and backups in `store/`.
"""
