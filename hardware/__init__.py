"""The hardware as code: parts, circuits, laws, and the tables, lists, budgets and drawings generated from
them.
"""
