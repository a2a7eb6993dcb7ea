"""Watchers: their favourites, play money against the odds, cheers. No game knows of them."""
