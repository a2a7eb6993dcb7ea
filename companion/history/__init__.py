"""Finished games: their moments, their odds, and the leaderboards.

May use matches and odds. Time comes in as an argument; it reads no file.
"""
