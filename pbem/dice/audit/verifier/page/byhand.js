// One roll by hand, as in pbem/dice/byhand.py: a line for a shell that needs Python and nothing else.
function commandFor(game, { step, label, sides, values, secret, kind }, [seed, beacon]) {
  if (kind !== "roll" || secret) return "";
  const stream = new Stream(stepKey(bytesOf(seed), game, step, bytesOf(beacon)), label);
  values.forEach(() => stream.die(sides));
  if (stream.blocks > 1000) return "";
  const size = Math.max(1, Math.ceil((sides - 1).toString(2).length / 8)), span = 256 ** size;
  const opening = `pbem-step/1|${game}|${step}|`;
  const name = /^[A-Za-z0-9_.-]+$/.test(game) ? `b'${opening}'` : `f('${hexOf(utf8(opening))}')`;
  const key = `k=h(f('${seed}'),${name}+f('${beacon}'),'sha256')`;
  const blocks = stream.blocks <= 1
    ? `s=h(k,b'pbem-roll/1|${label}|0','sha256')`
    : `s=b''.join(h(k,b'pbem-roll/1|${label}|%d'%c,'sha256') for c in range(${stream.blocks}))`;
  const numbers = size > 1 ? `[int.from_bytes(s[i:i+${size}],'big') for i in range(0,len(s)-${size - 1},${size})]` : "s";
  const dice = `print([b%${sides}+1 for b in ${numbers} if b<${span - (span % sides)}][:${values.length}])`;
  return `python3 -c "from hmac import digest as h;f=bytes.fromhex;${key};${blocks};${dice}"`;
}
