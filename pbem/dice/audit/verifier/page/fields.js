// The fields of a log that may be forged or broken: what is not as it should be is a Fault.
const LIMITS = { line: 16 << 20, entries: 2e6, labels: 1e6, dice: 10000, sides: 1e6, cards: 10000, steps: 1 << 20, faces: 1000, groups: 1000, parts: 1e6 };

class Fault extends Error {
  constructor(code, detail = "", entry = 0) {
    super(code);
    Object.assign(this, { code, detail: String(detail), entry });
  }
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
