"""The Pico's pins and the wiring behind them: data only. hardware/make_tables.py prints wiring.md from it.

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
TRACK_CURRENT = 27  # kept for the current monitor
SPARE = 22  # kept for lights

SPI = 0
SPI_HZ = 1000000  # 2 MHz at most with HC parts at 3.3 V; 4 MHz fails in the worst case (computed)

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
