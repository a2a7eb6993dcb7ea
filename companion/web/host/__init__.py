"""The host's page, to run the evening."""
