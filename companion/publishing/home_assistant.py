"""MQTT discovery for Home Assistant: a device, its sensors, and its events.

One retained message per table, at the topic where Home Assistant looks for devices
(https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery, since its version 2024.11). It holds no
state: each entity reads the table's own topics through a Jinja template, so nothing is published twice.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from companion import __version__
from companion.match.entries import EntryKind
from companion.reply import encoded

PARTS: Final = ("pad", "track", "panel")
WON: Final = "won"
"""The event type of an entry of any kind that finished a game."""

_SEATS = (
    "{% for seat in value_json.next.seats %}"
    "{{ value_json.match.seats[seat] }}{{ '' if loop.last else ', ' }}"
    "{% endfor %}"
)
_TURN = "{% if value_json.match and value_json.next %}" + _SEATS + "{% else %}None{% endif %}"
_FIRST = "value_json.standings | selectattr('place', 'eq', 1)"
_LEADER = f"{{{{ {_FIRST} | map(attribute='name') | join(', ') or None }}}}"
_CHANCE = (
    f"{{% set lead = {_FIRST} | map(attribute='seat') | list %}}"
    "{% set wins = (value_json.odds or {}).chances | default([]) | selectattr('what', 'eq', 'win') %}"
    "{% set best = wins | selectattr('seat', 'in', lead) | map(attribute='p') | list %}"
    "{{ (100 * best | max) | round | int if best else None }}"
)
_GAME = "{{ value_json.match.game if value_json.match else None }}"
_MATCH = "{{ (value_json.match or {}) | tojson }}"
_PROBLEM = "{{ 'ON' if value_json.alerts else 'OFF' }}"
_ALERTS = "{{ {'alerts': value_json.alerts | map(attribute='text') | list} | tojson }}"
_HAPPENED = (
    "{% set won = value_json.state == 'finished' and value_json.kind in ('decide', 'redo', 'change') %}"
    "{% set first = value_json.standings | selectattr('place', 'eq', 1) | map(attribute='name') | list %}"
    f"{{{{ dict(event_type='{WON}' if won else value_json.kind, game=value_json.game, match=value_json.match,"
    " entry=value_json.entry, leaders=first, news=value_json.news | map(attribute='text') | list) | tojson }}"
)


def discovery(topic: str, table: str) -> tuple[str, bytes]:
    """Return the discovery topic and payload of the `table` whose topics begin with `topic`."""
    name = topic.replace("/", "_").replace(".", "_")
    return f"homeassistant/device/{name}/config", encoded(_device(topic, name, table))


def _device(topic: str, name: str, table: str) -> dict[str, Any]:
    return {
        "device": {
            "identifiers": [name],
            "name": table,
            "model": "Race companion",
            "sw_version": __version__,
        },
        "origin": {"name": "Race companion", "sw_version": __version__},
        "availability": [
            {"topic": f"{topic}/here", "payload_available": "here", "payload_not_available": "gone"}
        ],
        "state_topic": f"{topic}/picture",
        "qos": 1,
        "components": {
            key: {"unique_id": f"{name}_{key}", **entity} for key, entity in _entities(topic).items()
        },
    }


def _entities(topic: str) -> dict[str, dict[str, Any]]:
    sensor, picture = {"platform": "sensor"}, f"{topic}/picture"
    return {
        "turn": sensor | {"name": "Turn", "icon": "mdi:account-clock", "value_template": _TURN},
        "leader": sensor | {"name": "Leader", "icon": "mdi:podium-gold", "value_template": _LEADER},
        "chance": sensor
        | {
            "name": "Chance of the leader",
            "icon": "mdi:percent",
            "unit_of_measurement": "%",
            "value_template": _CHANCE,
        },
        "game": sensor
        | {
            "name": "Game",
            "icon": "mdi:horse-variant",
            "value_template": _GAME,
            "json_attributes_topic": picture,
            "json_attributes_template": _MATCH,
        },
        "problem": {
            "platform": "binary_sensor",
            "name": "Problem",
            "device_class": "problem",
            "value_template": _PROBLEM,
            "json_attributes_topic": picture,
            "json_attributes_template": _ALERTS,
        },
        "happened": {
            "platform": "event",
            "name": "Happened",
            "icon": "mdi:flag-checkered",
            "event_types": [*get_args(EntryKind), WON],
            "state_topic": f"{topic}/events",
            "value_template": _HAPPENED,
        },
        **{part: sensor | _part(part) for part in PARTS},
    }


def _part(part: str) -> dict[str, Any]:
    return {
        "name": part.capitalize(),
        "device_class": "enum",
        "options": ["ok", "tap", "lost"],
        "entity_category": "diagnostic",
        "value_template": f"{{{{ value_json.parts.{part} }}}}",
    }
