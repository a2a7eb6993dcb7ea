"""Printed pages as PDF: label sheets, odds charts, the record of an evening. It is imported when something is
printed.

May use the table, past games and tags. It knows no page of the web.
"""
