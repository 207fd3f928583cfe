// The audit of a log as in pbem/dice/auditor.py: the same checks in the same order, with the same names.
const LIMITS = { line: 16 << 20, entries: 2e6, labels: 1e6, dice: 10000, sides: 1e6, cards: 10000, steps: 1 << 20, faces: 1000, groups: 1000 };

const utf8 = (text) => new TextEncoder().encode(text);
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
function joined(...parts) {
  const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const ROUND_CONSTANTS = new Uint32Array(64), FIRST_HASH = new Uint32Array(8);
(() => {
  const fraction = (x) => ((x - Math.floor(x)) * 4294967296) | 0;
  for (let found = 0, n = 2; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
    if (!prime) continue;
    if (found < 8) FIRST_HASH[found] = fraction(Math.sqrt(n));
    ROUND_CONSTANTS[found++] = fraction(Math.cbrt(n));
  }
})();

function sha256(data) {
  const bits = data.length * 8, padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bits / 4294967296));
  view.setUint32(padded.length - 4, bits >>> 0);
  const hash = FIRST_HASH.slice(), w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] += value));
  }
  const out = new Uint8Array(32), words = new DataView(out.buffer);
  hash.forEach((value, i) => words.setUint32(4 * i, value));
  return out;
}

function mac(key, message) {
  const inner = new Uint8Array(64).fill(0x36), outer = new Uint8Array(64).fill(0x5c);
  key.forEach((byte, i) => {
    inner[i] ^= byte;
    outer[i] ^= byte;
  });
  return sha256(joined(outer, sha256(joined(inner, message))));
}

class Fault extends Error {
  constructor(code, detail = "", entry = 0) {
    super(code);
    Object.assign(this, { code, detail: String(detail), entry });
  }
}

// JSON as Python reads it: whole numbers of any size, objects as Map, nothing that JSON does not know.
function parseJson(text) {
  let at = 0, depth = 0;
  const fail = () => { throw new SyntaxError("json"); };
  const space = () => { while (" \t\n\r".includes(text[at]) && at < text.length) at++; };
  const string = () => {
    const start = at++;
    let plain = true;
    while (text[at] !== '"') {
      if (at >= text.length || text.charCodeAt(at) < 32) fail();
      if (text[at] === "\\") { plain = false; at++; }
      at++;
    }
    at++;
    return plain ? text.slice(start + 1, at - 1) : JSON.parse(text.slice(start, at));
  };
  const number = () => {
    const match = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
    match.lastIndex = at;
    const found = match.exec(text) ?? fail();
    if (found[1] || found[2] || found[0].length > 4300) fail();
    at = match.lastIndex;
    const value = Number(found[0]);
    return Number.isSafeInteger(value) ? value : BigInt(found[0]);
  };
  const value = () => {
    space();
    const next = text[at];
    if (++depth > 900) fail();
    let result;
    if (next === "{") {
      result = new Map();
      at++;
      space();
      if (text[at] === "}") at++;
      else for (;;) {
        space();
        if (text[at] !== '"') fail();
        const name = string();
        space();
        if (text[at++] !== ":") fail();
        result.set(name, value());
        space();
        if (text[at] === "}") { at++; break; }
        if (text[at++] !== ",") fail();
      }
    } else if (next === "[") {
      result = [];
      at++;
      space();
      if (text[at] === "]") at++;
      else for (;;) {
        result.push(value());
        space();
        if (text[at] === "]") { at++; break; }
        if (text[at++] !== ",") fail();
      }
    } else if (next === '"') result = string();
    else {
      const word = [["true", true], ["false", false], ["null", null]].find(([name]) => text.startsWith(name, at));
      if (word) { at += word[0].length; result = word[1]; }
      else result = number();
    }
    depth--;
    return result;
  };
  const result = value();
  space();
  return at === text.length ? result : fail();
}

const byCodePoint = (a, b) => {
  const one = [...a], two = [...b];
  for (let i = 0; i < one.length && i < two.length; i++) {
    if (one[i] !== two[i]) return one[i].codePointAt(0) - two[i].codePointAt(0);
  }
  return one.length - two.length;
};

function canonical(value) {
  if (value instanceof Map) {
    const names = [...value.keys()].sort(byCodePoint);
    return `{${names.map((name) => `${canonical(name)}:${canonical(value.get(name))}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "string") {
    if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value)) throw new Fault("canonical");
    return JSON.stringify(value);
  }
  return String(value);
}

const isNumber = (value) => typeof value === "number" || typeof value === "bigint";
const read = {
  text(body, name, limit) {
    const value = body.get(name);
    if (typeof value !== "string" || (value.length > limit && [...value].length > limit)) throw new Fault("fields", name);
    return value;
  },
  number(body, name, least, most) {
    const value = body.get(name);
    if (!isNumber(value) || value < least || value > most) throw new Fault("fields", name);
    return value;
  },
  size(body, name, least, most) {
    const value = body.get(name);
    if (isNumber(value) && (value < least || value > most)) throw new Fault("absurd", `${name} ${String(value).slice(0, 40)}`);
    return read.number(body, name, least, most);
  },
  many(body, name, limit) {
    const value = body.get(name);
    if (!Array.isArray(value) || value.length > limit) throw new Fault("fields", name);
    return value;
  },
  sized(body, name, limit) {
    const value = body.get(name);
    if (Array.isArray(value) && value.length > limit) throw new Fault("absurd", `${value.length} ${name}`);
    return read.many(body, name, limit);
  },
  texts(values) {
    if (!values.every((value) => typeof value === "string")) throw new Fault("fields");
    return values;
  },
  numbers(values, most) {
    if (!values.every((value) => typeof value === "number" && value >= 1 && value <= most)) throw new Fault("fields");
    return values;
  },
  raw(value, name, size = 32) {
    if (typeof value !== "string" || value.length !== 2 * size || !/^[0-9a-f]*$/.test(value)) throw new Fault("fields", name);
    return bytesOf(value);
  },
  digest: (body, name) => read.raw(body.get(name), name),
  object(value, name) {
    if (!(value instanceof Map)) throw new Fault("fields", name);
    return value;
  },
};

class Stream {
  constructor(key, label) {
    Object.assign(this, { key, label, buffer: [], blocks: 0 });
  }
  take(count) {
    while (this.buffer.length < count) this.buffer.push(...mac(this.key, utf8(`pbem-roll/1|${this.label}|${this.blocks++}`)));
    return this.buffer.splice(0, count);
  }
  die(sides) {
    const size = Math.max(1, Math.ceil((sides - 1).toString(2).length / 8)), span = 256 ** size;
    for (;;) {
      const value = this.take(size).reduce((total, byte) => total * 256 + byte, 0);
      if (value < span - (span % sides)) return (value % sides) + 1;
    }
  }
}

const linkBelow = (seed) => sha256(joined(utf8("pbem-chain/1|"), seed));
const stepKey = (seed, game, k, beacon) => mac(seed, joined(utf8(`pbem-step/1|${game}|${k}|`), beacon));
const secretSalt = (seed, label, position) => mac(seed, utf8(`pbem-salt/1|${label}|${position}`)).slice(0, 16);
const commitTo = (salt, value) => sha256(joined(salt, utf8(value)));
const commits = (seed, label, values) => values.map((value, n) => commitTo(secretSalt(seed, label, n), String(value)));
const roll = (key, label, dice, sides) => {
  const stream = new Stream(key, label);
  return Array.from({ length: dice }, () => stream.die(sides));
};
const shuffle = (key, label, items) => {
  const order = [...items], stream = new Stream(key, label);
  for (let place = order.length - 1; place > 0; place--) {
    const other = stream.die(place + 1) - 1;
    [order[place], order[other]] = [order[other], order[place]];
  }
  return order;
};
const sameBytes = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
const sameList = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
const compareBytes = (a, b) => {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
};
const saltBeacon = (words) => {
  const parts = [utf8("pbem-salts/1"), ...words.map(utf8).sort(compareBytes)];
  return sha256(joined(...parts.flatMap((part, n) => (n ? [[0x7c], part] : [part]))));
};
const leafOf = (data) => sha256(joined([0], data));
const nodeOf = (left, right) => sha256(joined([1], left, right));
function rootOf(data) {
  if (!data.length) return sha256(new Uint8Array(0));
  let level = data.map(leafOf);
  while (level.length > 1) {
    const above = [];
    for (let i = 0; i < level.length; i += 2) above.push(i + 1 < level.length ? nodeOf(level[i], level[i + 1]) : level[i]);
    level = above;
  }
  return level[0];
}
function provedBy(root, size, position, data, path) {
  const remaining = [...path];
  let link = leafOf(data);
  for (; size > 1; position >>= 1, size = (size + 1) >> 1) {
    if ((position ^ 1) >= size) continue;
    if (!remaining.length) return false;
    const neighbour = remaining.shift();
    link = position % 2 ? nodeOf(neighbour, link) : nodeOf(link, neighbour);
  }
  return !remaining.length && sameBytes(link, root);
}

class Tally {
  constructor() { this.counts = new Map(); }
  add(seat, sides, values) {
    if (sides > LIMITS.faces) return;
    for (const who of new Set(["", seat])) {
      const name = `${String(sides).padStart(8, "0")}|${who}`;
      let count = this.counts.get(name);
      if (!count) {
        if (this.counts.size >= LIMITS.groups) continue;
        count = { seat: who, sides, counts: new Array(sides).fill(0), high: 0, low: 0, runs: 0, last: 0 };
        this.counts.set(name, count);
      }
      for (const value of values) {
        count.counts[value - 1]++;
        const side = Math.sign(2 * value - sides - 1);
        if (!side) continue;
        count[side > 0 ? "high" : "low"]++;
        if (count.last !== side) count.runs++;
        count.last = side;
      }
    }
  }
  spreads() {
    const used = [...this.counts.values()].filter((count) => count.counts.some(Boolean));
    return used.sort((a, b) => a.sides - b.sides || byCodePoint(a.seat, b.seat));
  }
}

function seconds(at) {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at) ? Date.parse(at) : NaN;
  if (Number.isNaN(time) || `${new Date(time).toISOString().slice(0, 19)}Z` !== at) throw new Fault("time", at.slice(0, 40));
  return time / 1000;
}

// What a player's letters say: heads, receipts, and when his own server took each letter.
function readLetters(text) {
  const mailbox = { heads: [], receipts: [], seen: [] };
  for (const letter of text.split(/^From [^\n]*\n/m)) {
    const plain = letter.replace(/=\r?\n/g, "").replace(/(?:=[0-9A-F]{2})+/g, (quoted) =>
      new TextDecoder().decode(bytesOf(quoted.replaceAll("=", ""))));
    const words = `${letter}\n${plain}`.replace(/\s*\n[>|\s]*/g, " ");
    const heads = [...words.matchAll(/log #(\d{1,12}) head=([0-9a-f]{16,64})/g)].map((found) => [Number(found[1]), found[2]]);
    mailbox.heads.push(...heads);
    for (const found of words.matchAll(/(?:log #|journal n[°o]\s*)(\d{1,12})\s*·\s*(?:leaf|feuille) ([0-9a-f]{16,64})\s*·\s*(?:salt|sel) /g)) {
      mailbox.receipts.push([Number(found[1]), found[2]]);
    }
    const stamp = /^Received:((?:.*\r?\n[ \t])*.*)$/im.exec(letter);
    const came = stamp ? Date.parse(stamp[1].slice(stamp[1].lastIndexOf(";") + 1).replace(/\([^)]*\)/g, "").trim()) : NaN;
    if (!Number.isNaN(came) && heads.length) mailbox.seen.push([Math.max(...heads.map(([number]) => number)), came / 1000]);
  }
  return mailbox;
}

class Auditor {
  constructor(mailbox, networks) {
    this.heads = new Map();
    for (const [number, head] of mailbox.heads) this.heads.set(number, [...(this.heads.get(number) ?? []), head.toLowerCase()]);
    this.promised = new Map();
    for (const [number, leaf] of mailbox.receipts) this.promised.set(number, [...(this.promised.get(number) ?? []), leaf]);
    this.seen = mailbox.seen;
    this.networks = networks.map((network) => canonical(new Map(Object.entries(network))));
    Object.assign(this, {
      entries: 0, head: "", game: "", mode: "", k: 0, draws: 0, now: 0, delay: 0, rounds: 0, witnessed: 0,
      pending: null, ended: false, genesis: null, network: null, tally: new Tally(), shown: [],
      leaves: new Map(), unsealed: new Set(), labels: new Map(), stack: [], secrets: new Map(), redrawn: [], signatures: [],
    });
  }

  take(line, whole) {
    if (++this.entries > LIMITS.entries) throw new Fault("limits");
    let text, entry;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
      entry = parseJson(text);
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(whole ? "unreadable" : "truncated");
    }
    if (!(entry instanceof Map)) throw new Fault("unreadable");
    const [kind, body] = this.entry(entry, text);
    for (const leaf of this.promised.get(this.entries) ?? []) {
      if (kind !== "receipt" || !String(body.get("leaf")).startsWith(leaf)) throw new Fault("receipt", `log #${this.entries} leaf ${leaf}`);
    }
    if (kind === "genesis") return this.takeGenesis(body);
    if (this.entries === 1) throw new Fault("genesis");
    if (this.mode === "beacon") {
      const now = seconds(entry.get("at"));
      if (now < this.now) throw new Fault("time", entry.get("at"));
      this.now = now;
    }
    const check = CHECKS.get(kind);
    if (!check) throw new Fault("kind", kind.slice(0, 40));
    if (this.ended && !["receipt", "opened", "act"].includes(kind)) throw new Fault("after-end", kind);
    return check.call(this, body);
  }

  entry(entry, text) {
    if (entry.size !== 6 || !["at", "body", "hash", "kind", "n", "prev"].every((name) => entry.has(name))) throw new Fault("fields");
    const kind = read.text(entry, "kind", 40);
    read.text(entry, "at", 80);
    if (text !== canonical(entry)) throw new Fault("canonical");
    const number = read.number(entry, "n", 0, LIMITS.entries);
    if (number !== this.entries) throw new Fault("number", `${number} / ${this.entries}`);
    if (entry.get("prev") !== (this.head || "0".repeat(64))) throw new Fault("chain");
    const bare = new Map([...entry].filter(([name]) => name !== "hash"));
    this.head = hexOf(sha256(utf8(`pbem-log/1|${canonical(bare)}`)));
    if (entry.get("hash") !== this.head) throw new Fault("hash");
    for (const told of this.heads.get(number) ?? []) {
      if (told.length < 16 || !this.head.startsWith(told)) throw new Fault("head", `log #${number} head=${told}`);
    }
    return [kind, read.object(entry.get("body"), "body")];
  }

  takeGenesis(body) {
    if (body.get("format") !== "pbem-dice/1") throw new Fault("format", body.get("format"));
    if (this.entries !== 1) throw new Fault("genesis");
    if (!["chain", "beacon"].includes(body.get("mode"))) throw new Fault("mode", body.get("mode"));
    this.mode = body.get("mode");
    this.game = read.text(body, "game", 200);
    this.seed = read.digest(body, "anchor");
    this.secretAnchor = read.digest(body, "secret_anchor");
    this.steps = read.number(body, "steps", 1, LIMITS.steps);
    this.genesis = body;
    if (this.mode === "beacon") this.sourceIs(body);
  }

  sourceIs(body) {
    const said = read.object(body.get("beacon"), "beacon");
    const network = new Map([
      ["chain", hexOf(read.digest(said, "chain"))],
      ["genesis", read.number(said, "genesis", 0, 2 ** 40)],
      ["key", hexOf(read.raw(said.get("key"), "key", 96))],
      ["period", read.number(said, "period", 1, 86400)],
    ]);
    if (!this.networks.includes(canonical(network))) throw new Fault("source", network.get("chain").slice(0, 16));
    this.delay = read.number(body, "delay", 2, 30 * 86400);
    if (this.delay < 2 * network.get("period")) throw new Fault("absurd", `delay ${this.delay}`);
    this.network = Object.fromEntries(network);
  }

  takeSource(body) {
    read.text(body, "author", 200);
    read.text(body, "reason", 10000);
    if (this.mode !== "beacon") throw new Fault("mode", "chain");
    if (this.pending) throw new Fault("source-pending", this.pending.k);
    this.sourceIs(body);
  }

  takeAct(body) {
    if (body.get("act") !== "statistics") return;
    const counted = this.tally.spreads().map(({ seat, sides, counts }) => new Map(Object.entries({ seat, sides, counts })));
    if (!Array.isArray(body.get("dice")) || canonical(body.get("dice")) !== canonical(counted)) throw new Fault("statistics");
  }

  takeReceipt(body) {
    read.text(body, "player", 200);
    read.digest(body, "letter");
    if (this.leaves.size >= LIMITS.labels) throw new Fault("limits");
    const leaf = hexOf(read.digest(body, "leaf"));
    if (!this.leaves.has(leaf)) this.leaves.set(leaf, false);
    if (!this.leaves.get(leaf)) this.unsealed.add(leaf);
  }

  takeClose(body) {
    const k = read.number(body, "k", 1, LIMITS.steps);
    if (k <= this.k || (this.pending && k === this.pending.k)) throw new Fault("close-twice", k);
    if (this.pending || k !== this.k + 1 || k > this.steps) throw new Fault("close-order", k);
    const leaves = read.many(body, "leaves", LIMITS.labels).map((leaf) => read.raw(leaf, "leaves"));
    if (!sameBytes(rootOf(leaves), read.digest(body, "root"))) throw new Fault("close-root");
    for (const leaf of leaves.map(hexOf)) {
      if (!this.leaves.has(leaf)) throw new Fault("leaf", leaf.slice(0, 16));
      this.leaves.set(leaf, true);
      this.unsealed.delete(leaf);
    }
    if (this.unsealed.size) throw new Fault("leaf-missing", [...this.unsealed].sort()[0].slice(0, 16));
    this.pending = { entry: this.entries, k, beacon: null, round: 0 };
    if (this.mode === "beacon") {
      const number = read.number(body, "round", 1, 2 ** 62), { genesis, period } = this.network;
      const wanted = Math.floor((this.now + this.delay - genesis) / period) + 1;
      if (number !== wanted) throw new Fault("round", `${number}, ${wanted}`);
      this.pending.round = number;
      return;
    }
    const salts = body.get("salts");
    if (!(salts instanceof Map)) throw new Fault("fields", "salts");
    this.pending.beacon = read.digest(body, "beacon");
    const words = [...salts.keys()].map((seat) => read.text(salts, seat, 1000));
    if (!sameBytes(saltBeacon(words), this.pending.beacon)) throw new Fault("close-beacon");
  }

  dueOf(round) { return this.network.genesis + (round - 1) * this.network.period; }

  witness(close, until) {
    const came = this.seen.filter(([number]) => close.entry <= number && number < until).map(([, at]) => at);
    if (came.length && Math.min(...came) >= this.dueOf(close.round)) throw new Fault("late", `${close.k}, ${close.round}`, close.entry);
    if (came.length) this.witnessed++;
  }

  takeResult(body) {
    const k = read.number(body, "k", 1, LIMITS.steps), close = this.pending;
    this.pending = null;
    if (!close || close.k !== k) throw new Fault("result-order", k);
    const seed = read.digest(body, "seed");
    if (!sameBytes(linkBelow(seed), this.seed)) throw new Fault("seed", k);
    if (this.mode === "beacon") {
      const signature = read.raw(body.get("signature"), "signature", 48);
      if (this.now < this.dueOf(close.round)) throw new Fault("early", close.round);
      this.signatures.push([this.entries, this.network.key, close.round, signature]);
      if (this.signatures.length >= 256) this.checkSignatures();
      close.beacon = sha256(signature);
      this.witness(close, this.entries);
    }
    this.k = k;
    this.seed = seed;
    const key = stepKey(seed, this.game, k, close.beacon);
    read.text(body, "state", 64);
    for (const shown of read.many(body, "draws", LIMITS.labels)) this.takeDraw(read.object(shown, "draws"), close, key);
  }

  checkSignatures() {
    let waiting = this.signatures;
    this.signatures = [];
    while (waiting.length) {
      const key = waiting[0][1], same = waiting.filter((each) => each[1] === key);
      waiting = waiting.filter((each) => each[1] !== key);
      const bad = firstBadRound(key, same.map(([, , number, signature]) => [number, signature]));
      if (bad !== null) throw new Fault("signature", `${same[bad][2]}`, same[bad][0]);
      this.rounds += same.length;
    }
  }

  takeDraw(shown, close, key) {
    const label = shown.get("label");
    if (typeof label !== "string" || !/^[a-z0-9_./-]{1,1000}$/.test(label)) throw new Fault("label", String(label).slice(0, 80));
    if (++this.draws > LIMITS.labels) throw new Fault("limits");
    const secret = shown.get("secret"), kind = shown.get("kind");
    if (typeof secret !== "boolean" || !["roll", "shuffle"].includes(kind)) throw new Fault("fields", label);
    const draw = { step: close.k, entry: this.entries, label, kind, secret, rule: read.text(shown, "rule", 200),
      sides: 0, seat: "", size: 0, values: [], before: [], items: [] };
    if (kind === "roll") {
      draw.sides = read.size(shown, "sides", 1, LIMITS.sides);
      draw.seat = read.text(shown, "seat", 200);
    }
    if (secret) this.seal(shown, close, draw);
    else if (kind === "roll") {
      const values = read.numbers(read.sized(shown, "values", LIMITS.dice), LIMITS.sides);
      draw.size = values.length;
      draw.values = roll(key, label, values.length, draw.sides);
      if (!sameList(draw.values, values)) throw new Fault("dice", `${label}: ${values.slice(0, 10)} / ${draw.values.slice(0, 10)}`);
      this.tally.add(draw.seat, draw.sides, values);
    } else {
      draw.before = read.texts(read.sized(shown, "before", LIMITS.cards));
      draw.size = draw.before.length;
      draw.items = shuffle(key, label, draw.before);
      if (!sameList(draw.items, read.texts(read.sized(shown, "items", LIMITS.cards)))) throw new Fault("shuffle", label);
    }
    this.register(draw);
    if (this.shown.length < 50000) this.shown.push(draw);
  }

  seal(shown, close, draw) {
    const secret = { entry: this.entries, k: close.k, beacon: close.beacon, label: draw.label, draw, commits: [] };
    if (draw.kind === "roll") {
      secret.commits = read.sized(shown, "commits", LIMITS.dice).map((hidden) => read.raw(hidden, "commits"));
      draw.size = secret.commits.length;
    } else {
      secret.root = read.digest(shown, "root");
      secret.before = read.digest(shown, "before");
      draw.size = read.size(shown, "size", 0, LIMITS.cards);
    }
    this.secrets.set(`${close.k}|${draw.label}`, secret);
  }

  register(draw) {
    const asked = [draw.kind, draw.secret, draw.sides, draw.size, hexOf(sha256(utf8(canonical(draw.before))))].join("|");
    const old = this.labels.get(draw.label);
    if (old?.standing === "live") throw new Fault("label-twice", draw.label);
    if (old?.standing === "kept" && old.asked === asked) {
      if (draw.kind === "roll" || !draw.secret) throw new Fault("label-kept", draw.label);
      this.redrawn.push([this.entries, old.step, draw.step, draw.label]);
    }
    this.labels.set(draw.label, { entry: this.entries, step: draw.step, asked, standing: "live" });
    this.stack.push([this.entries, draw.label]);
  }

  takeRollback(body) {
    read.text(body, "author", 200);
    read.text(body, "reason", 10000);
    const target = body.get("target"), keep = body.get("keep");
    if (typeof keep !== "boolean" || !isNumber(target)) throw new Fault("fields");
    if (this.pending || target < 1 || target >= this.entries) throw new Fault("rollback", target);
    this.unsealed.clear();
    while (this.stack.length && this.stack.at(-1)[0] > target) this.labels.get(this.stack.pop()[1]).standing = keep ? "kept" : "void";
  }

  takeKept(body) {
    for (const again of read.many(body, "draws", LIMITS.labels)) {
      const label = read.text(read.object(again, "draws"), "label", 1000), known = this.labels.get(label);
      if (known?.standing !== "kept" || known.step !== read.number(again, "k", 1, LIMITS.steps)) throw new Fault("kept", label);
      Object.assign(known, { standing: "live", entry: this.entries });
      this.stack.push([this.entries, label]);
    }
  }

  takeOpened(body) {
    if (!body.has("orders")) return this.takeOpenedCard(body);
    for (const shown of read.many(body, "orders", LIMITS.labels)) {
      read.object(shown, "orders");
      const [player, salt, orders] = ["player", "salt", "orders"].map((name) => read.text(shown, name, LIMITS.line));
      const leaf = hexOf(sha256(utf8(`leaf|${player}|${salt}|${orders}`)));
      if (player.includes("|") || salt.includes("|") || !this.leaves.get(leaf)) throw new Fault("opened-orders", player.slice(0, 80));
    }
    return undefined;
  }

  takeOpenedCard(body) {
    const label = read.text(body, "label", 1000), card = read.text(body, "card", 10000);
    const secret = this.secrets.get(`${read.number(body, "k", 1, LIMITS.steps)}|${label}`);
    const position = read.number(body, "position", 0, LIMITS.cards);
    const hidden = commitTo(read.raw(body.get("salt"), "salt", 16), card);
    const path = read.many(body, "path", 64).map((link) => read.raw(link, "path"));
    if (!secret || position >= secret.draw.size) throw new Fault("opened-card", label);
    const good = secret.draw.kind === "roll"
      ? !path.length && sameBytes(secret.commits[position], hidden)
      : provedBy(secret.root, secret.draw.size, position, hidden, path);
    if (!good) throw new Fault("opened-card", label);
  }

  takeEnd(body) {
    if (this.pending) throw new Fault("truncated", this.pending.k);
    let link = read.digest(body, "seed");
    for (let k = this.steps; k > this.k; k--) link = linkBelow(link);
    if (!sameBytes(link, this.seed)) throw new Fault("end-seed");
    const needed = new Set([...this.secrets.values()].map((secret) => secret.k)), seeds = new Map();
    link = read.digest(body, "secret_seed");
    for (let k = this.steps; k > 0; k--) {
      if (needed.has(k)) seeds.set(k, link);
      link = linkBelow(link);
    }
    if (!sameBytes(link, this.secretAnchor)) throw new Fault("end-secret-seed");
    const decks = new Map();
    for (const deck of read.many(body, "decks", LIMITS.labels)) {
      read.object(deck, "decks");
      const name = `${read.number(deck, "k", 1, LIMITS.steps)}|${read.text(deck, "label", 1000)}`;
      decks.set(name, read.texts(read.sized(deck, "before", LIMITS.cards)));
    }
    for (const [name, secret] of this.secrets) this.unseal(secret, seeds.get(secret.k), decks.get(name));
    for (const [entry, old, now, label] of this.redrawn) {
      const one = decks.get(`${old}|${label}`), two = decks.get(`${now}|${label}`);
      if (one && two && sameList(one, two)) throw new Fault("label-kept", label, entry);
    }
    this.ended = true;
  }

  unseal(secret, seed, before) {
    const { draw, label } = secret, key = stepKey(seed, this.game, secret.k, secret.beacon);
    if (draw.kind === "roll") {
      draw.values = roll(key, label, draw.size, draw.sides);
      const right = commits(seed, label, draw.values).every((hidden, n) => sameBytes(hidden, secret.commits[n]));
      if (!right) throw new Fault("secret-dice", label, secret.entry);
      this.tally.add(draw.seat, draw.sides, draw.values);
      return;
    }
    if (!before) {
      const known = this.labels.get(label);
      if (known.standing === "live" && known.step === secret.k) throw new Fault("deck-unrevealed", label, secret.entry);
      return;
    }
    draw.before = before;
    draw.items = shuffle(key, label, before);
    const root = rootOf(commits(seed, label, draw.items));
    const digest = sha256(joined(secretSalt(seed, label, -1), utf8(canonical(before))));
    if (before.length !== draw.size || !sameBytes(root, secret.root) || !sameBytes(digest, secret.before)) {
      throw new Fault("secret-deck", label, secret.entry);
    }
  }

  close() {
    if (!this.entries) throw new Fault("empty");
    if (this.pending) {
      if (this.mode !== "beacon") throw new Fault("truncated", this.pending.k);
      this.witness(this.pending, this.entries + 1);
    }
    const beyond = [...this.heads.keys(), ...this.promised.keys()].filter((number) => number > this.entries);
    if (beyond.length) throw new Fault("truncated", `log #${Math.min(...beyond)}`);
  }

  verdict(fault) {
    return {
      ok: !fault, code: fault?.code ?? "", entry: fault ? fault.entry || this.entries : 0, detail: fault?.detail ?? "",
      game: this.game, mode: this.mode, head: this.head, entries: this.entries, steps: this.k, draws: this.draws,
      sealed: this.ended ? 0 : this.secrets.size, ended: this.ended, rounds: this.rounds, witnessed: this.witnessed,
      waiting: this.pending && this.mode === "beacon" && this.network
        ? { step: this.pending.k, round: this.pending.round, due: this.dueOf(this.pending.round) } : null,
      dice: this.tally.spreads(), shown: this.shown,
    };
  }
}

const CHECKS = new Map(["receipt", "close", "result", "kept", "opened", "rollback", "source", "act", "end"].map((kind) =>
  [kind, Auditor.prototype[`take${kind[0].toUpperCase()}${kind.slice(1)}`]]));

// One audit, piece by piece: feed() takes bytes as they come, finish() gives the verdict.
class Audit {
  constructor(letters = "", networks = FACTS.networks) {
    this.auditor = new Auditor(readLetters(letters), networks);
    this.rest = new Uint8Array(0);
    this.fault = null;
  }
  attempt(work) {
    try {
      work();
    } catch (error) {
      const found = error instanceof Fault ? error : new Fault("unreadable", error.message);
      const here = (fault) => fault.entry || this.auditor.entries;
      if (!this.fault || here(found) <= here(this.fault)) this.fault = found;
    }
  }
  feed(bytes) {
    if (this.fault) return;
    this.rest = this.rest.length ? joined(this.rest, bytes) : bytes;
    this.attempt(() => {
      let from = 0;
      for (let end; (end = this.rest.indexOf(10, from)) >= 0; from = end + 1) this.line(this.rest.subarray(from, end + 1));
      this.rest = this.rest.slice(from);
      if (this.rest.length > LIMITS.line) throw new Fault("limits", "", this.auditor.entries + 1);
    });
  }
  line(raw) {
    if (raw.length > LIMITS.line) throw new Fault("limits", "", this.auditor.entries + 1);
    let end = raw.length;
    while (end && (raw[end - 1] === 10 || raw[end - 1] === 13)) end--;
    this.auditor.take(raw.subarray(0, end), end < raw.length);
  }
  finish() {
    if (!this.fault) this.attempt(() => {
      if (this.rest.length) this.line(this.rest);
      this.auditor.close();
    });
    this.attempt(() => this.auditor.checkSignatures());
    return this.auditor.verdict(this.fault);
  }
}

function pbemVerify(bytes, letters = "", networks = FACTS.networks) {
  const audit = new Audit(letters, networks);
  audit.feed(bytes);
  return audit.finish();
}
