"""What a commentator says of a race: who leads, who is passed, how close it is.

May use matches. Time comes in as an argument; it reads no file.
"""
