"""What is more than one table: a hub that hears what tables tell, keeps it, and counts leagues over it.

No table needs it. It reads what a broker passes on (docs/mqtt.md) and what is imported, and writes to its own
database and nowhere else.
"""
