"""A Pi whose SPI is switched off: its device tree has no bus, so there is no /dev/spidev0.0."""

from __future__ import annotations

from pathlib import Path

from tests.machine.inside.table import PAD, doctor, finding, table


def test_spi_is_off() -> None:
    """Table and doctor say that SPI is off, and how to switch it on; the game goes on by taps."""
    assert not Path("/dev/spidev0.0").exists()
    with table(PAD) as running:
        hardware = running.until(lambda hardware: hardware if hardware["pad"] else None)
        assert hardware["pad"]["state"] == "tap"
        assert "switch SPI on with sudo raspi-config" in hardware["pad"]["why"]
        running.host.begin("galloping-pigs", ("Ada", "Ben"))
    found = finding(doctor(PAD), "pad")
    assert found is not None
    assert "SPI is switched off" in found["cause"]
    assert "raspi-config" in found["try"][0]
