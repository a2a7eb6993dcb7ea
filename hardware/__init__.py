"""The hardware as code: parts, circuits, laws, and the tables, lists and budgets made of them."""
