// A Pico with MicroPython and nothing around it: the virtual machine's own prompt on a serial line.
//
//   node prompt.mjs LINE FLASH [FAULT=VALUE]...
//
// LINE is the file descriptor of a pseudo-terminal's master end, not blocking. FLASH is a directory: what the
// Pico keeps without power. As on a Pico /main.py runs at the start, Ctrl-C ends it, and machine.reset()
// starts anew. Faults: unplug=N it loses its power when it has written N bytes to files; rename=N it loses it
// before it renames for the Nth time; room=N so many bytes its file system takes; hurt=NAME one byte of a
// file of that name arrives wrong; silent=1 it never says a word.

import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const [line, flash, ...given] = process.argv.slice(2);
const LINE = Number(line);
const fault = Object.fromEntries(given.map(one => one.split("=")));
const BARE = path.join(import.meta.dirname, "bare");
const CTRL_C = 3;
const RAW_PASTE = Buffer.from("\x05A\x01");
const WASI_ENOSPC = 51;

const nobody = new Int32Array(new SharedArrayBuffer(4));
const nap = ms => {
  Atomics.wait(nobody, 0, 0, ms);
};

// -- the line

let waiting = Buffer.alloc(0);
const piece = Buffer.alloc(4096);

function listen() {
  try {
    const n = fs.readSync(LINE, piece, 0, piece.length, null);
    waiting = Buffer.concat([waiting, piece.subarray(0, n)]);
  } catch (problem) {
    if (problem.code !== "EAGAIN" && problem.code !== "EIO") throw problem; // EIO: no program has it open
  }
  return waiting.length;
}

function take(n) {
  const taken = waiting.subarray(0, n);
  waiting = waiting.subarray(n);
  return taken;
}

function next() {
  while (!listen()) nap(2);
  return take(1)[0];
}

// The prompt's raw-paste mode reads past us: it is refused, as MicroPython without it does. Then plain raw
// mode is used.
function typed() {
  const first = next();
  if (first !== RAW_PASTE[0]) return first;
  for (let tries = 0; waiting.length < 2 && tries < 50; tries++) {
    listen();
    nap(2);
  }
  if (!waiting.subarray(0, 2).equals(RAW_PASTE.subarray(1))) return first;
  take(2);
  say(Buffer.from("R\0"));
  return null;
}

function say(bytes) {
  if (fault.silent) return;
  for (let at = 0, tries = 0; at < bytes.length && tries < 250; tries++) {
    try {
      at += fs.writeSync(LINE, bytes, at);
    } catch (problem) {
      if (problem.code !== "EAGAIN" && problem.code !== "EIO") throw problem;
      nap(2); // a host that does not read stalls a Pico for half a second, then the rest is lost
    }
  }
}

// -- what stays without power

function copyIn(FS, from, to) {
  for (const name of fs.readdirSync(from)) {
    const [there, here] = [path.join(from, name), path.posix.join(to, name)];
    if (fs.statSync(there).isDirectory()) {
      FS.mkdir(here);
      copyIn(FS, there, here);
    } else {
      FS.writeFile(here, fs.readFileSync(there));
    }
  }
}

const NOT_NAMES = new Set([".", ".."]);
const NOT_FLASH = new Set([...NOT_NAMES, "dev", "proc", "tmp", "home", "lib", "bare"]);

function copyOut(FS, from, to) {
  const others = from === "/" ? NOT_FLASH : NOT_NAMES;
  const names = FS.readdir(from).filter(name => !others.has(name));
  for (const old of fs.readdirSync(to).filter(name => !names.includes(name))) {
    fs.rmSync(path.join(to, old), { recursive: true });
  }
  for (const name of names) {
    const [here, there] = [path.posix.join(from, name), path.join(to, name)];
    if (FS.isDir(FS.stat(here).mode)) {
      fs.mkdirSync(there, { recursive: true });
      copyOut(FS, here, there);
    } else {
      fs.writeFileSync(there, FS.readFile(here));
    }
  }
}

let written = 0;
let renamed = 0;

function losePower(FS) {
  copyOut(FS, "/", flash);
  process.exit(0);
}

function makeFaulty(FS) {
  FS.writeFile("/tmp/one", "");
  const stream = FS.open("/tmp/one", "w");
  const { write } = stream.stream_ops; // one object for all files in memory
  stream.stream_ops.write = (file, buffer, offset, length, position, canOwn) => {
    written += length;
    if (written > Number(fault.unplug ?? Infinity)) losePower(FS);
    if (written > Number(fault.room ?? Infinity)) throw new FS.ErrnoError(WASI_ENOSPC);
    if (file.path?.endsWith(`/${fault.hurt}`)) {
      const hurt = Uint8Array.from(buffer.subarray(offset, offset + length));
      hurt[0] ^= 1;
      return write(file, hurt, 0, length, position, canOwn);
    }
    return write(file, buffer, offset, length, position, canOwn);
  };
  FS.close(stream);
  const { rename } = FS;
  FS.rename = (from, to) => {
    renamed += 1;
    if (renamed === Number(fault.rename)) losePower(FS);
    return rename(from, to);
  };
}

// -- the Pico

for (;;) {
  const mp = await loadMicroPython({ heapsize: 190 * 1024, linebuffer: false, stdout() {} });
  const { FS } = mp;
  let resetting = false;
  FS.getStream(0).stream_ops = {
    read(_, buffer, offset, length) {
      while (!listen()) nap(2);
      const taken = take(length);
      buffer.set(taken, offset);
      return taken.length;
    },
  };
  FS.getStream(1).stream_ops = {
    write(_, buffer, offset, length) {
      say(Buffer.from(buffer.subarray(offset, offset + length)));
      return length;
    },
  };
  FS.mkdir("/bare");
  copyIn(FS, BARE, "/bare");
  copyIn(FS, flash, "/");
  makeFaulty(FS);
  mp.registerJsModule("outside", {
    nap,
    milliseconds: () => Math.floor(performance.now()),
    reset() {
      resetting = true;
    },
    waiting() {
      listen();
      const at = waiting.indexOf(CTRL_C);
      if (at < 0) return waiting.length ? 1 : 0;
      waiting = waiting.subarray(at + 1);
      return 2;
    },
  });
  mp.runPython("import sys, os\nsys.path.insert(0, '/bare')\nos.urandom = lambda n: bytes(n)");
  if (FS.analyzePath("/main.py").exists) {
    try {
      mp.runPython(`__name__ = '__main__'\n${FS.readFile("/main.py", { encoding: "utf8" })}`);
    } catch (problem) {
      say(Buffer.from(problem.message));
    }
  }
  mp.replInit();
  while (!resetting) {
    const byte = typed();
    if (byte !== null) mp.replProcessChar(byte);
  }
  copyOut(FS, "/", flash);
}
