// The real MicroPython virtual machine in Node, with the modules of this directory on its path.
//
//   node run.mjs FROM TO HEAP DIRECTORY...
//
// copies the .py files of each DIRECTORY to / and obeys the file descriptor FROM. A command is its length (4
// bytes, little-endian) and Python source. What the source asks of the world goes to the file descriptor TO
// as modules/world.py packs it, and is answered on FROM.

import fs from "node:fs";
import path from "node:path";

// another release than that of package.json: tools/micropython_releases.py
const MACHINE =
  process.env.COMPANION_MICROPYTHON_VM ?? "@micropython/micropython-webassembly-pyscript/micropython.mjs";
const { loadMicroPython } = await import(MACHINE);
const [FROM, TO, heap] = process.argv.slice(2, 5).map(Number);
const directories = process.argv.slice(5);

let waiting = [];

function flush() {
  const all = Buffer.concat(waiting);
  waiting = [];
  for (let at = 0; at < all.length;) at += fs.writeSync(TO, all, at);
}

function fill(buffer, offset, length) {
  for (let got = 0; got < length;) {
    const n = fs.readSync(FROM, buffer, offset + got, length - got, null);
    if (n === 0) process.exit(0); // the test is over
    got += n;
  }
  return length;
}

// writes wait until an answer is read: a message costs two processes a turn
const world = {
  open() {},
  close() {},
  llseek() {
    return 0;
  },
  write(_, buffer, offset, length) {
    waiting.push(Buffer.from(buffer.subarray(offset, offset + length)));
    return length;
  },
  read(_, buffer, offset, length) {
    flush();
    return fill(buffer, offset, length);
  },
};

function message(kind, ...parts) {
  const payload = Buffer.concat(parts.map(part => Buffer.from(part)));
  const head = Buffer.alloc(6);
  head.write(kind, 0, "latin1");
  head.writeUInt16LE(payload.length, 4);
  waiting.push(head, payload);
}

const usbOut = {
  write(_, buffer, offset, length) {
    for (let at = 0; at < length; at += 0xffff) {
      message("w", buffer.subarray(offset + at, offset + Math.min(length, at + 0xffff)));
    }
    return length;
  },
};

// like a Pico's own buffer: what has come is fetched at once, however the firmware takes it
let typed = Buffer.alloc(0);

function fetch() {
  const came = Buffer.alloc(2);
  message("r");
  flush();
  fill(came, 0, 2);
  typed = Buffer.alloc(came.readUInt16LE());
  fill(typed, 0, typed.length);
}

const usbIn = {
  read(_, buffer, offset, length) {
    if (!typed.length) fetch();
    const taken = typed.subarray(0, length);
    typed = typed.subarray(length);
    buffer.set(taken, offset);
    return taken.length;
  },
};

const mp = await loadMicroPython({ heapsize: heap, linebuffer: false, stdout() {} });
mp.FS.getStream(0).stream_ops = usbIn;
mp.FS.getStream(1).stream_ops = usbOut;
const device = mp.FS.makedev(64, 0);
mp.FS.registerDevice(device, world);
mp.FS.mkdev("/dev/world", 0o666, device);
for (const directory of directories) {
  for (const name of fs.readdirSync(directory).filter(one => one.endsWith(".py"))) {
    mp.FS.writeFile(`/${name}`, fs.readFileSync(path.join(directory, name)));
  }
}

mp.registerJsModule("outside", { typed: () => typed.length });

const size = Buffer.alloc(4);
for (;;) {
  flush();
  fill(size, 0, 4);
  const code = Buffer.alloc(size.readUInt32LE());
  fill(code, 0, code.length);
  try {
    mp.runPython(code.toString());
    message(".");
  } catch (problem) {
    if (problem.name !== "PythonError") throw problem;
    message("!", `${problem.type}\n`, problem.message.slice(0, 4000));
  }
}
