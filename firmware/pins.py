"""The Pico's pins and the wiring behind them: data only. hardware/tiers.py wires it.

Reader r is number r % 8 of group r // 8. A master 74HC138 enables one group by its address lines A3-A5
and a strobe; inside the group a 74HC138 makes the chip selects and a 74HC251 picks the MISO, both on A0-A2.
"""

ADDRESS = (2, 3, 4, 5, 6, 7)  # GP numbers of A0-A5; A0-A2 choose the reader, A3-A5 the group
STROBE = 17  # active high, pulled down: while low no reader at all is selected
SCK = 18
MOSI = 19
MISO = 16
RESET = 20  # nRST of every reader; low at boot, so fields die with the Pico
TRACK_VOLTAGE = 26  # the track's 3.3 V divided by 2
TRACK_CURRENT = 27  # an INA180A1 over 0.05 ohm: 1 V is 1 A; 100 kOhm to GND, fitted or not
SPARE = 22  # reserved for lights

SWITCH_DATA = 8  # QH of the first 74HC165; 10 kOhm to 3V3
SWITCH_LOAD = 9  # SH/LD of all
SWITCH_CLOCK = 10  # CLK of all

SPI = 0
SWITCH_SPI = 1
SWITCH_HZ = 1000000
SPI_HZ = 1000000  # with HC parts at 3.3 V sure at 1 MHz, not at 2 (computed: docs/signals.md)

READERS = 22  # scanned at boot; the Pi may ask for another number
MOST_READERS = 40
GROUP = 8  # readers in a group

# Pin numbers on the packages, from the makers' data sheets
MASTER_ADDRESS_PINS = (1, 2, 3)  # 74HC138, A3-A5
MASTER_STROBE_PIN = 6  # G1
MASTER_OUTPUT_PINS = (15, 14, 13, 12, 11)  # Y0-Y4 = EN0-EN4
DECODER_ADDRESS_PINS = (1, 2, 3)  # 74HC138, A0-A2
DECODER_ENABLE_PIN = 4
DECODER_OUTPUT_PINS = (15, 14, 13, 12, 11, 10, 9, 7)  # Y0-Y7 = chip selects
MULTIPLEXER_ADDRESS_PINS = (11, 10, 9)  # 74HC251, A0-A2
MULTIPLEXER_ENABLE_PIN = 7
MULTIPLEXER_OUTPUT_PIN = 5
MULTIPLEXER_INPUT_PINS = (4, 3, 2, 1, 15, 14, 13, 12)  # I0-I7 = MISO of the readers

# A presence track: switch s is bit s % 8 of 74HC165 number s // 8, counted from the Pico. Each chip's SER is
# the next one's QH; the SER of the last one is tied to GND: zeros follow the last switch if the row is whole
MOST_SWITCHES = 40
SWITCH_INPUT_PINS = (6, 5, 4, 3, 14, 13, 12, 11)  # H first, it comes out first; low: a magnet is there
SWITCH_LOAD_PIN = 1
SWITCH_CLOCK_PIN = 2  # CLK INH, pin 15, to GND
SWITCH_OUTPUT_PIN = 9  # QH
SWITCH_SERIAL_PIN = 10  # SER
