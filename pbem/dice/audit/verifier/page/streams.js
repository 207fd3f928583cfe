// Streams of dice, seeds, salts and Merkle trees, as in pbem/dice/streams.py and merkle.py.
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
