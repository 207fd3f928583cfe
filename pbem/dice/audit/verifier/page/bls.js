// BLS12-381 as in pbem/dice/bls.py, line for line where the languages allow: signatures in G1, the key in G2.
const P = BigInt(FACTS.curve.p), ORDER = BigInt(FACTS.curve.order), X = BigInt(FACTS.curve.x);
const BETA = BigInt(FACTS.curve.beta), SSWU_A = BigInt(FACTS.curve.a), SSWU_B = BigInt(FACTS.curve.b);
const KERNEL = FACTS.curve.kernel.map(BigInt), HALF = P / 2n, X_BITS = X.toString(2);
const G2 = FACTS.curve.g2.map((pair) => pair.map(BigInt));
const DST = new TextEncoder().encode(FACTS.curve.dst);

class NoPoint extends Error {}

const mod = (a) => ((a %= P) < 0n ? a + P : a);

function power(base, exponent) {
  let result = 1n;
  for (base = mod(base); exponent; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % P;
    base = (base * base) % P;
  }
  return result;
}

function inverse(a) {
  let [low, high, x, y] = [mod(a), P, 1n, 0n];
  while (low > 1n) {
    const times = high / low;
    [low, high] = [high - times * low, low];
    [x, y] = [y - times * x, x];
  }
  if (low === 0n) throw new NoPoint();
  return mod(x);
}

const root = (a) => {
  const found = power(a, (P + 1n) / 4n);
  return (found * found) % P === mod(a) ? found : null;
};

const mul2 = (a, b) => {
  const low = a[0] * b[0], high = a[1] * b[1];
  return [mod(low - high), mod((a[0] + a[1]) * (b[0] + b[1]) - low - high)];
};
const sub2 = (a, b) => [mod(a[0] - b[0]), mod(a[1] - b[1])];
const same2 = (a, b) => a[0] === b[0] && a[1] === b[1];
const inverse2 = (a) => {
  const norm = inverse(a[0] * a[0] + a[1] * a[1]);
  return [mod(a[0] * norm), mod(-a[1] * norm)];
};

function power2(a, exponent) {
  let result = [1n, 0n];
  for (const bit of exponent.toString(2)) {
    result = mul2(result, result);
    if (bit === "1") result = mul2(result, a);
  }
  return result;
}

function root2(a) {
  const norm = root(a[0] * a[0] + a[1] * a[1]);
  if (norm === null) return null;
  for (const sign of [norm, -norm]) {
    const real = root((a[0] + sign) * inverse(2n));
    let found;
    if (real) found = [real, mod(a[1] * inverse(2n * real))];
    else if (real === 0n && root(-a[0]) !== null) found = [0n, root(-a[0])];
    else continue;
    if (same2(mul2(found, found), [mod(a[0]), mod(a[1])])) return found;
  }
  return null;
}

function mul12(a, b) {
  const real = new Array(11).fill(0n), imaginary = new Array(11).fill(0n);
  a.forEach(([a0, a1], i) => {
    if (!a0 && !a1) return;
    b.forEach(([b0, b1], j) => {
      real[i + j] += a0 * b0 - a1 * b1;
      imaginary[i + j] += a0 * b1 + a1 * b0;
    });
  });
  for (let i = 0; i < 5; i++) {
    const high = real[i + 6], low = imaginary[i + 6];
    real[i] += high - low;
    imaginary[i] += high + low;
  }
  return [0, 1, 2, 3, 4, 5].map((i) => [mod(real[i]), mod(imaginary[i])]);
}

const conjugate = (a) => a.map((c, i) => (i % 2 ? [mod(-c[0]), mod(-c[1])] : c));

let powersOfW = null;
function frobenius(a, times) {
  if (!powersOfW) {
    const first = power2([1n, 1n], (P - 1n) / 6n);
    powersOfW = [[1n, 0n]];
    while (powersOfW.length < 6) powersOfW.push(mul2(powersOfW.at(-1), first));
  }
  for (; times; times--) a = a.map((c, i) => mul2([c[0], -c[1]], powersOfW[i]));
  return a;
}

function inverse12(a) {
  let others = conjugate(a);
  const norm = mul12(a, others);
  others = mul12(others, mul12(frobenius(norm, 2), frobenius(norm, 4)));
  const scale = inverse2(mul12(a, others)[0]);
  return others.map((c) => mul2(c, scale));
}

function slope2(a, b) {
  if (same2(a[0], b[0]) && same2(a[1], b[1])) {
    const square = mul2(a[0], a[0]);
    return mul2([3n * square[0], 3n * square[1]], inverse2([2n * a[1][0], 2n * a[1][1]]));
  }
  return mul2(sub2(b[1], a[1]), inverse2(sub2(b[0], a[0])));
}

function third2(a, b, slope) {
  const x = sub2(sub2(mul2(slope, slope), a[0]), b[0]);
  return [x, sub2(mul2(slope, sub2(a[0], x)), a[1])];
}

function linesOf(point) {
  const lines = [];
  let here = point;
  for (const bit of X_BITS.slice(1)) {
    for (const other of bit === "1" ? [null, point] : [null]) {
      const slope = slope2(here, other ?? here);
      lines.push([other === null, slope, sub2(mul2(slope, here[0]), here[1])]);
      here = third2(here, other ?? here, slope);
    }
  }
  return lines;
}

function powerX(a, lessOne = false) {
  let result = a;
  for (const bit of X_BITS.slice(1)) {
    result = mul12(result, result);
    if (bit === "1") result = mul12(result, a);
  }
  return conjugate(lessOne ? mul12(result, a) : result);
}

function finalPower(a) {
  a = mul12(conjugate(a), inverse12(a));
  a = mul12(frobenius(a, 2), a);
  let b = powerX(powerX(a, true), true);
  b = mul12(powerX(b), frobenius(b, 1));
  b = mul12(mul12(powerX(powerX(b)), frobenius(b, 2)), conjugate(b));
  return mul12(b, mul12(a, mul12(a, a)));
}

function pairingIsOne(pairs) {
  let product = [1n, 0n, 0n, 0n, 0n, 0n].map((c) => [c, 0n]);
  for (let step = 0; step < pairs[0][1].length; step++) {
    if (pairs[0][1][step][0]) product = mul12(product, product);
    for (const [[x, y], lines] of pairs) {
      const [, slope, crossing] = lines[step];
      product = mul12([crossing, [0n, 0n], [mod(-slope[0] * x), mod(-slope[1] * x)], [y, 0n]], product);
    }
  }
  return finalPower(product).every((c, i) => c[0] === (i ? 0n : 1n) && c[1] === 0n);
}

function double([x, y, z]) {
  const yy = mod(y * y), four = mod(4n * x * yy), slope = mod(3n * x * x);
  const nx = mod(slope * slope - 2n * four);
  return [nx, mod(slope * (four - nx) - 8n * yy * yy), mod(2n * y * z)];
}

function add(a, b) {
  const [x, y, z] = a;
  if (z === 0n) return [b[0], b[1], 1n];
  const zz = mod(z * z), along = mod(b[0] * zz - x), up = mod(b[1] * zz * z - y);
  if (along === 0n) return up ? [1n, 1n, 0n] : double(a);
  const square = mod(along * along), cube = mod(square * along), start = mod(x * square);
  const nx = mod(up * up - cube - 2n * start);
  return [nx, mod(up * (start - nx) - y * cube), mod(z * along)];
}

function sum(points, factors) {
  let total = [1n, 1n, 0n];
  const most = Math.max(...factors.map((factor) => factor.toString(2).length));
  for (let bit = BigInt(most - 1); bit >= 0n; bit--) {
    total = double(total);
    points.forEach((point, i) => {
      if ((factors[i] >> bit) & 1n) total = add(total, point);
    });
  }
  if (total[2] === 0n) return null;
  const scale = inverse(total[2]), square = mod(scale * scale);
  return [mod(total[0] * square), mod(total[1] * square * scale)];
}

const bigOf = (bytes) => BigInt("0x" + (hexOf(bytes) || "0"));
const samePoint = (a, b) => a !== null && a[0] === b[0] && a[1] === b[1];

function pointOf(data) {
  if (data.length !== 48 || data[0] >> 6 !== 2) throw new NoPoint();
  const x = bigOf(data) & ((1n << 381n) - 1n);
  let y = x < P ? root(x ** 3n + 4n) : null;
  if (y === null) throw new NoPoint();
  if (y > HALF !== Boolean(data[0] & 0x20)) y = P - y;
  const byX = sum([[x, y]], [X]);
  if (byX === null || !samePoint(sum([byX], [X]), [mod(BETA * x), P - y])) throw new NoPoint();
  return [x, y];
}

function keyOf(data) {
  if (data.length !== 96 || data[0] >> 6 !== 2) throw new NoPoint();
  const high = bigOf(data.slice(0, 48)) & ((1n << 381n) - 1n), low = bigOf(data.slice(48));
  const x = [low, high], cube = mul2(mul2(x, x), x);
  let y = low < P && high < P ? root2([cube[0] + 4n, cube[1] + 4n]) : null;
  if (y === null) throw new NoPoint();
  const minus = (pair) => [mod(-pair[0]), mod(-pair[1])];
  if ((y[1] || y[0]) > HALF !== Boolean(data[0] & 0x20)) y = minus(y);
  let here = [x, y];
  for (const bit of (ORDER - 1n).toString(2).slice(1)) {
    here = third2(here, here, slope2(here, here));
    if (bit === "1") here = third2(here, [x, y], slope2(here, [x, y]));
  }
  if (!same2(here[0], x) || !same2(here[1], minus(y))) throw new NoPoint();
  return [x, y];
}

function expand(message, length) {
  const tail = joined(DST, [DST.length]);
  const first = sha256(joined(new Uint8Array(64), message, [length >> 8, length & 255, 0], tail));
  let block = sha256(joined(first, [1], tail));
  const blocks = [block];
  for (let n = 2; n <= length / 32; n++) {
    block = sha256(joined(first.map((byte, i) => byte ^ block[i]), [n], tail));
    blocks.push(block);
  }
  return joined(...blocks);
}

function mapToCurve(u) {
  const zu = mod(11n * u * u), below = mod(zu * zu + zu);
  const curve = (x) => x ** 3n + SSWU_A * x + SSWU_B;
  let x = below
    ? mod(-SSWU_B * (1n + inverse(below)) * inverse(SSWU_A))
    : mod(SSWU_B * inverse(11n * SSWU_A));
  let y = root(curve(x));
  if (y === null) {
    x = mod(x * zu);
    y = root(curve(x));
  }
  return [x, (y & 1n) === (u & 1n) ? y : P - y];
}

function isogeny([x, y]) {
  const values = [0n, 0n, 0n, 0n];
  for (let order = 0; order < 4; order++) {
    for (let power = KERNEL.length - 1; power >= order; power--) {
      let times = 1n;
      for (let n = 0; n < order; n++) times *= BigInt(power - n);
      values[order] = mod(values[order] * x + times * KERNEL[power]);
    }
  }
  const scale = inverse(values[0]), [one, two, three] = values.slice(1).map((value) => mod(value * scale));
  const second = two - one * one, third = three - 3n * one * two + 2n * one ** 3n;
  const cubic = x ** 3n + SSWU_A * x + SSWU_B, slope = 3n * x * x + SSWU_A;
  const nx = 11n * x + 2n * KERNEL[4] - 2n * slope * one - 4n * cubic * second;
  const ny = 11n - 12n * x * one - 6n * slope * second - 4n * cubic * third;
  const per11 = inverse(11n);
  return [mod(nx * per11 ** 2n), mod(y * ny * per11 ** 3n)];
}

function hashToCurve(message) {
  const stretched = expand(message, 128);
  const points = [0, 64].map((at) => isogeny(mapToCurve(bigOf(stretched.slice(at, at + 64)) % P)));
  return sum([sum(points, [1n, 1n])], [X + 1n]);
}

const roundBytes = (number) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
};

const linesByKey = new Map();
function linesOfKey(key) {
  if (!linesByKey.has(key)) linesByKey.set(key, [linesOf(G2), linesOf(keyOf(bytesOf(key)))]);
  return linesByKey.get(key);
}

function allSigned(lines, signed) {
  if (!signed.length) return true;
  const every = sha256(utf8(signed.flat(2).join(",")));
  const factors = signed.map((_, n) =>
    signed.length === 1 ? 1n : bigOf(sha256(joined(every, roundBytes(n))).slice(0, 16)) | 1n);
  const signature = sum(signed.map(([point]) => point), factors);
  const message = sum(signed.map(([, point]) => point), factors);
  if (signature === null || message === null) return signature === message;
  return pairingIsOne([[[signature[0], P - signature[1]], lines[0]], [message, lines[1]]]);
}

function firstBadRound(key, rounds) {
  let lines;
  try {
    lines = linesOfKey(key);
  } catch (error) {
    if (error instanceof NoPoint) return rounds.length ? 0 : null;
    throw error;
  }
  const signed = [];
  let bad = null;
  for (const [place, [number, signature]] of rounds.entries()) {
    try {
      signed.push([pointOf(signature), hashToCurve(sha256(roundBytes(number)))]);
    } catch (error) {
      if (!(error instanceof NoPoint)) throw error;
      bad = place;
      break;
    }
  }
  if (allSigned(lines, signed)) return bad;
  let good = 0, top = signed.length;
  while (top - good > 1) {
    const middle = (good + top) >> 1;
    if (allSigned(lines, signed.slice(good, middle))) good = middle;
    else top = middle;
  }
  return good;
}
