// One stream for all pages of a browser that show the same: each stream holds one of six connections.

const GONE = 3_000; // ms without a sign of the page that has the stream: then another one opens it
const JITTER = 200; // ms in which one of the pages that are left opens it, and the others hear of it

/**
 * What pages send each other: who sends it (`id`), and that it has the stream (`here`), wants the newest view
 * (`ask`), or leaves (`left`); or an event of the stream. `broken`: since when its connection is broken.
 * @typedef {{ id: string, here?: boolean, ask?: boolean, left?: boolean, broken?: number, type?: string,
 *   data?: string }} Message
 */

/**
 * The pages of this browser that share a stream by this name. The one that joined first has it, and tells
 * the others each event. Each page may lead at once: where two do, the later one stops when it hears of the
 * other.
 * Null where the browser cannot do it: then each page has a stream.
 * @param {string} name
 * @param {{ lead: () => void, stop: () => void, hear: (type: string, data: string) => void,
 *   broken: (since?: number) => number, last: () => Pick<Message, "type" | "data"> }} page
 */
export function sharing(name, page) {
  if (!("BroadcastChannel" in globalThis)) return null;
  /** @type {BroadcastChannel | null} */
  let channel = null;
  let id = "";
  let leader = "";
  let seen = 0;
  let turn = 0;

  /** @param {Omit<Message, "id">} message */
  const post = message => channel?.postMessage({ id, ...message });
  const lead = () => {
    leader = id;
    page.lead();
    post({ here: true });
  };

  /** @param {Message} message */
  function heard(message) {
    if (message.left) {
      if (message.id === leader) turn = Number(setTimeout(lead, Math.random() * JITTER));
      return;
    }
    if (leader === id && message.id > id) {
      post({ here: true, broken: page.broken(), ...(message.ask && page.last()) });
      return;
    }
    if (leader === id) page.stop();
    if (message.id > leader && Date.now() - seen < GONE && !turn) return; // it will hear of the leader too
    clearTimeout(turn);
    turn = 0;
    leader = message.id;
    seen = Date.now();
    if (message.broken !== undefined) page.broken(message.broken);
    if (message.type !== undefined) page.hear(message.type, message.data ?? "");
  }

  return {
    /** Join the pages, and lead them unless one answers. */
    join() {
      channel ??= new BroadcastChannel(name);
      channel.onmessage = ({ data }) => heard(data);
      id = `${String(Date.now()).padStart(15, "0")} ${Math.random()}`;
      leader = id;
      page.lead();
      post({ here: true, ask: true });
    },
    /** Leave them, as a page that is hidden or closed. */
    leave() {
      clearTimeout(turn);
      turn = 0;
      post({ left: true });
      channel?.close();
      channel = null;
    },
    /**
     * Tell the others an event of the stream.
     * @param {string} type
     * @param {string} data
     */
    tell: (type, data) => post({ type, data }),
    /** Once a second: give a sign, or open the stream if the leader has given none. */
    tick() {
      if (leader === id) post({ here: true, broken: page.broken() });
      else if (Date.now() - seen > GONE) lead();
    },
  };
}
