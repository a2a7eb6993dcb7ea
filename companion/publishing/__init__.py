"""Publishes what happens at this table by MQTT and webhooks.

May use views and the journal, which it only reads. It publishes only what every viewer may know.
"""
