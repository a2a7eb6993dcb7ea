// The sums of a bet slip. `sheet` holds a bet by its kind: the dogs it is on, and its stake in dollars.

const NO_BET = { dogs: [], stake: 0 };

/**
 * What is staked in all.
 * @param {Sheet} sheet
 */
export const total = sheet => Object.values(sheet).reduce((sum, bet) => sum + bet.stake, 0);

/**
 * The bet of this kind; one without dogs and stake where there is none.
 * @param {Sheet} sheet
 * @param {BetKind} kind
 */
export const betOf = (sheet, kind) => sheet[kind.kind] ?? NO_BET;

/**
 * The line of the table of payouts for a bet of this kind on these dogs, in any order.
 * @param {Payouts} slip
 * @param {BetKind} kind
 * @param {string[]} dogs
 */
export const paid = (slip, kind, dogs) =>
  slip.pays.find(
    p => p.kind === kind.kind && p.dogs.length === dogs.length && p.dogs.every(d => dogs.includes(d)),
  );

/**
 * The line for this dog: alone, or with the one that is chosen already.
 * @param {Payouts} slip
 * @param {BetKind} kind
 * @param {string} dog
 * @param {string[]} chosen
 */
export function paidWith(slip, kind, dog, chosen) {
  const other = chosen.filter(d => d !== dog).slice(-1);
  return paid(slip, kind, kind.dogs > 1 ? [...other, dog] : [dog]);
}

/**
 * What is won with this stake, in whole dollars as text: exact, however much it is.
 * @param {Pay} pay
 * @param {number} stake
 */
export function wins(pay, stake) {
  const [over, under] = pay.ratio.map(BigInt);
  return ((BigInt(stake) * over) / under).toString();
}

/**
 * The first stake of a bet: what is missing to the least that must be staked, in whole steps.
 * @param {Payouts} slip
 * @param {Sheet} sheet
 */
export function firstStake(slip, sheet) {
  const missing = Math.max(0, slip.least - total(sheet));
  return slip.step * Math.max(1, Math.ceil(missing / slip.step));
}

/**
 * By how much a stake is made larger or smaller by one tap.
 * @param {Payouts} slip
 */
export const stepOf = slip => slip.step * Math.max(1, Math.round(100 / slip.step));

/**
 * The bet with this dog on it, or off it: of too many the last ones stay; without any there is no stake.
 * @param {Payouts} slip
 * @param {Sheet} sheet
 * @param {BetKind} kind
 * @param {string} dog
 */
export function withDog(slip, sheet, kind, dog) {
  const bet = betOf(sheet, kind);
  const dogs = bet.dogs.includes(dog)
    ? bet.dogs.filter(d => d !== dog)
    : [...bet.dogs, dog].slice(-kind.dogs);
  return { dogs, stake: dogs.length ? bet.stake || firstStake(slip, sheet) : 0 };
}

/**
 * The bets as they are handed in; null while one of them is not whole, or there is none.
 * @param {Payouts} slip
 * @param {Sheet} sheet
 */
export function handedIn(slip, sheet) {
  const bets = slip.kinds
    .map(kind => ({ kind: kind.kind, needs: kind.dogs, ...betOf(sheet, kind) }))
    .filter(bet => bet.stake);
  if (!bets.length || bets.some(bet => bet.dogs.length !== bet.needs)) return null;
  return bets.map(({ kind, dogs, stake }) => ({ kind, dogs, stake }));
}
