"""What a commentator says of a race: who leads, who is passed, how close it is."""
