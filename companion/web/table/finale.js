// The end of a race: the winner runs home on the empty course.

const LAP = 2_600; // ms at most that a winner runs
const SPACE = 130; // ms a space
const LINGERS = 500;

/**
 * Let the winner run to the line, or on a course to where it stands; then call `done`.
 * @param {import("../course/track.js").Track} track
 * @param {View} view
 * @param {() => void} done
 */
export function runHome(track, view, done) {
  const c = track.laid;
  const { finale } = view;
  const winner = finale?.order[0].piece ?? "";
  const space = view.pieces.find(p => p.piece === winner)?.space;
  const from = c.fits(finale?.start ?? c.first);
  const to = c.closed ? c.spaces + 1 : Math.max(from + 1, c.fits(space ?? c.last));
  const time = Math.min(LAP, Math.max(900, (to - from) * SPACE));
  const runner = track.figure(winner, "piece");
  const own = track.pieces.get(winner)?.el;
  own?.classList.add("away");
  track.layers.pieces.append(runner);
  const began = performance.now();
  /** @param {number} now */
  const frame = now => {
    const t = Math.min(1, (now - began) / time);
    const bound = Math.abs(Math.sin(t * (to - from) * Math.PI));
    track.set(runner, c.at(from + (to - from) * t), 1 + 0.12 * bound, bound * c.lane * 0.2);
    if (t < 1) {
      requestAnimationFrame(frame);
      return;
    }
    setTimeout(() => {
      runner.remove();
      own?.classList.remove("away");
      done();
    }, LINGERS);
  };
  requestAnimationFrame(frame);
}
