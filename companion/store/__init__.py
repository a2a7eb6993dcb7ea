"""What outlives the evening: one SQLite file, its backups, and their repair.

May use matches. It knows no table.

`journal.py` has the entries and `file.py` the file; `schema.py` has its tables, by numbered steps, and
`keys.py` small values under typed keys. `clock.py` knows if the machine's clock is set, and `dates.py` puts
right the times that were written before it was. `checksums.py` and `place.py` check that the file is
unchanged and still in its place, `background_check.py` does so for old games while a table plays, and
`salvage.py` rescues the readable entries of a damaged one. `backup.py` and `restore.py` make copies and bring
them back.
"""
