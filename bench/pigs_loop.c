/* Games of Galloping Pigs at random, four seats and the printed material, as fast as plain C goes:
   what bench.odds compares with. A pig is a bit of a word; the carry of an addition finds the next empty
   space. Words are long enough that no pig laps another, as in companion/odds/gallop_track.py. */

#include <stdint.h>

enum { SEATS = 4, PIGS = 5, COPIES = 7, HAND = 7, FOOD = 55 };

static uint64_t state;

static inline uint32_t below(uint32_t n) { /* xorshift64*, Lemire's range */
    state ^= state >> 12; state ^= state << 25; state ^= state >> 27;
    uint32_t x = (uint32_t)((state * 0x2545F4914F6CDD1DULL) >> 32);
    return (uint32_t)(((uint64_t)x * n) >> 32);
}

/* Adds each seat's shares of victory (of 12) to `won`; the last round only if `rounds` is 1. */
void play(int games, int rounds, uint64_t seed, int64_t *won) {
    state = seed;
    for (int game = 0; game < games; game++) {
        int kept[SEATS] = {0}, stock = FOOD;
        for (int round = 0; round < rounds; round++) {
            uint8_t deck[PIGS * COPIES];
            for (int i = 0; i < PIGS * COPIES; i++) deck[i] = (uint8_t)(i / COPIES);
            uint64_t pig[PIGS], occupied = 0;
            for (int i = 0; i < PIGS; i++) occupied |= pig[i] = 1ULL << (PIGS - 1 - i);
            int risked[SEATS] = {0}, seat = round % SEATS;
            for (int ply = 0; ply < SEATS * HAND; ply++) {
                uint32_t at = ply + below(PIGS * COPIES - ply);
                uint8_t card = deck[at];
                deck[at] = deck[ply];
                uint64_t from = pig[card], to = (occupied + from) & ~occupied;
                int leads = to > occupied;
                occupied ^= from ^ to;
                pig[card] = to;
                int gain = leads && stock > 0;
                stock -= gain;
                risked[seat] += gain;
                if (ply >= SEATS * (HAND - 1)) {
                    if (leads) kept[seat] += risked[seat]; else stock += risked[seat];
                }
                seat = (seat + 1) % SEATS;
            }
        }
        int most = 0, first = 0;
        for (int s = 0; s < SEATS; s++) if (kept[s] > most) most = kept[s];
        for (int s = 0; s < SEATS; s++) first += kept[s] == most;
        for (int s = 0; s < SEATS; s++) if (kept[s] == most) won[s] += 12 / first;
    }
}
