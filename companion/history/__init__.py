"""Games that are over: their moments, their odds, and the leaderboard."""
