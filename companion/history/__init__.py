"""Games that are over: their moments, their odds, and who leads in the long run."""
