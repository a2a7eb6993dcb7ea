"""The odds of Giro Galoppo."""
