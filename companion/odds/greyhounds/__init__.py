"""The odds of Greyhounds."""
