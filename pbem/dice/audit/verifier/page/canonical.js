// JSON in canonical form, and read as Python reads it: whole numbers of any size, objects as Map, nothing that JSON does not know.
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
