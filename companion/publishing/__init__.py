"""Telling others what happens at this table, by MQTT: only what everybody may know, and it only reads."""
