// The audit of a log as in pbem/dice/auditor.py: the same checks in the same order, with the same names.
function seconds(at) {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at) ? Date.parse(at) : NaN;
  if (Number.isNaN(time) || `${new Date(time).toISOString().slice(0, 19)}Z` !== at) throw new Fault("time", at.slice(0, 40));
  return time / 1000;
}

class Auditor {
  constructor(mailbox, networks) {
    this.heads = new Map();
    for (const [number, head] of mailbox.heads) this.heads.set(number, [...(this.heads.get(number) ?? []), head.toLowerCase()]);
    this.promised = new Map();
    for (const [number, leaf] of mailbox.receipts) this.promised.set(number, [...(this.promised.get(number) ?? []), leaf]);
    this.due = [];
    this.seen = mailbox.seen;
    this.proofs = new Map();
    for (const proof of mailbox.proofs.values()) {
      const name = `${proof.step}|${proof.label}`;
      this.proofs.set(name, [...(this.proofs.get(name) ?? []), proof]);
    }
    this.networks = networks.map((network) => canonical(new Map(Object.entries(network))));
    Object.assign(this, {
      edition: 0, reasons: new Reasons(), answers: new Map(), words: [], unwitnessed: [], compared: 0,
      entries: 0, head: "", game: "", mode: "", k: 0, draws: 0, now: 0, delay: 0, rounds: 0, witnessed: 0, receipts: 0, cards: 0,
      sources: [], pending: null, ended: false, genesis: null, network: null, tally: new Tally(), shown: [], keys: new Map(),
      leaves: new Map(), unsealed: new Set(), labels: new Map(), stack: [], secrets: new Map(), redrawn: [], signatures: [],
    });
  }

  take(line, whole) {
    if (++this.entries > LIMITS.entries) throw new Fault("limits");
    let text, entry, parts = 0;
    for (const byte of line) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) parts++;
    if (parts > LIMITS.parts) throw new Fault("limits");
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
      entry = parseJson(text);
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(whole ? "unreadable" : "truncated");
    }
    if (!(entry instanceof Map)) throw new Fault("unreadable");
    const [kind, body] = this.entry(entry, text);
    if (kind === "close" && this.due.length) throw new Fault("receipt", `log #${this.entries} leaf ${this.due[0]}`);
    this.due.push(...(this.promised.get(this.entries) ?? []));
    this.promised.delete(this.entries);
    if (kind === "receipt") {
      const kept = this.due.filter((leaf) => !String(body.get("leaf")).startsWith(leaf));
      this.receipts += this.due.length - kept.length;
      this.due = kept;
    }
    if (kind === "genesis") {
      this.takeGenesis(body);
      this.reasons.take(this.entries, kind, "", body);
      return;
    }
    if (this.entries === 1) throw new Fault("genesis");
    if (this.mode === "beacon") {
      const now = seconds(entry.get("at"));
      if (now < this.now) throw new Fault("time", entry.get("at"));
      this.now = now;
    }
    const check = CHECKS.get(kind);
    if (!check) throw new Fault("kind", kind.slice(0, 40));
    if (this.ended && !["receipt", "opened", "act"].includes(kind)) throw new Fault("after-end", kind);
    check.call(this, body);
    if (this.edition > 1) this.reason(kind, entry.get("at"), body);
  }

  reason(kind, at, body) {
    this.reasons.take(this.entries, kind, at, body);
    const leaf = this.reasons.leaves(this.entries);
    if (leaf) this.leaf(hexOf(read.raw(leaf, "leaf")));
    if (kind !== "act" || body.get("act") !== "journal") return;
    this.answers = new Map();
    for (const { seat, origin } of this.reasons.check(body, this.entries)) {
      const who = canonical([seat, origin]);
      this.answers.set(who, [seat, origin, (this.answers.get(who)?.[2] ?? 0) + 1]);
    }
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
    for (const told of new Set(this.heads.get(number) ?? [])) {
      if (told.length < 16 || !this.head.startsWith(told)) throw new Fault("head", `log #${number} head=${told}`);
      this.compared++;
    }
    return [kind, read.object(entry.get("body"), "body")];
  }

  takeGenesis(body) {
    const edition = ["pbem-dice/1", "pbem-dice/2"].indexOf(body.get("format")) + 1;
    if (!edition) throw new Fault("format", body.get("format"));
    if (this.entries !== 1) throw new Fault("genesis");
    if (!["chain", "beacon"].includes(body.get("mode"))) throw new Fault("mode", body.get("mode"));
    this.edition = edition;
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
    if (this.sources.length < 1000) this.sources.push(this.entries);
  }

  takeAct(body) {
    if (body.get("act") !== "statistics") return;
    const counted = this.tally.spreads().map(({ seat, sides, counts }) => new Map(Object.entries({ seat, sides, counts })));
    if (!Array.isArray(body.get("dice")) || canonical(body.get("dice")) !== canonical(counted)) throw new Fault("statistics");
  }

  takeReceipt(body) {
    read.text(body, "player", 200);
    read.digest(body, "letter");
    this.leaf(hexOf(read.digest(body, "leaf")));
  }

  leaf(leaf) {
    if (this.leaves.size >= LIMITS.labels) throw new Fault("limits");
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
    if (k === 1) this.words = [...salts.keys()].filter((seat) => salts.get(seat)).sort(byCodePoint).slice(0, 1000);
  }

  dueOf(round) { return this.network.genesis + (round - 1) * this.network.period; }

  witness(close, until) {
    const came = this.seen.filter(([number]) => close.entry <= number && number < until).map(([, at]) => at);
    if (came.length && Math.min(...came) >= this.dueOf(close.round)) throw new Fault("late", `${close.k}, ${close.round}`, close.entry);
    if (came.length) this.witnessed++;
    else if (this.unwitnessed.length < 10) this.unwitnessed.push(close.entry);
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
    if (this.keys.size < 50000) this.keys.set(k, [hexOf(seed), hexOf(close.beacon)]);
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
    const name = `${close.k}|${draw.label}`;
    this.secrets.set(name, secret);
    for (const proof of this.proofs.get(name) ?? []) {
      if (!this.proved(secret, proof)) throw new Fault("proof", `${draw.label}, ${proof.card}`.slice(0, 80));
      this.cards++;
    }
    this.proofs.delete(name);
  }

  shows(secret, position, salt, card, path) {
    const committed = commitTo(salt, card);
    if (position >= secret.draw.size) return false;
    if (secret.draw.kind === "roll") return !path.length && sameBytes(secret.commits[position], committed);
    return provedBy(secret.root, secret.draw.size, position, committed, path);
  }

  proved(secret, proof) {
    const die = secret.draw.kind === "roll", root = die ? secret.commits[proof.position] : secret.root;
    if (!root || proof.root !== hexOf(root) || proof.size !== (die ? 0 : secret.draw.size)) return false;
    return this.shows(secret, proof.position, bytesOf(proof.salt), proof.card, proof.path.map(bytesOf));
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
      if (player.includes("|") || salt.includes("|") || !this.leaves.has(leaf)) throw new Fault("opened-orders", player.slice(0, 80));
    }
    return undefined;
  }

  takeOpenedCard(body) {
    const label = read.text(body, "label", 1000), card = read.text(body, "card", 10000);
    const secret = this.secrets.get(`${read.number(body, "k", 1, LIMITS.steps)}|${label}`);
    const position = read.number(body, "position", 0, LIMITS.cards);
    const salt = read.raw(body.get("salt"), "salt", 16);
    const path = read.many(body, "path", 64).map((link) => read.raw(link, "path"));
    if (!secret || !this.shows(secret, position, salt, card, path)) throw new Fault("opened-card", label);
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
    if (this.due.length) throw new Fault("truncated", `leaf ${this.due[0]}`);
    const unknown = [...this.proofs.values()].map(([proof]) => proof).sort((a, b) => a.step - b.step)[0];
    if (unknown) throw new Fault(unknown.step <= this.k ? "proof" : "truncated", `${unknown.label}, ${unknown.step}`.slice(0, 80));
  }

  wordless() {
    const setup = this.genesis?.get("setup"), seats = setup instanceof Map ? setup.get("seats") : null;
    if (this.mode !== "chain" || !this.k || !Array.isArray(seats)) return [];
    return seats.slice(0, 1000).filter((seat) => typeof seat === "string" && !this.words.includes(seat));
  }

  verdict(fault) {
    return {
      ok: !fault, code: fault?.code ?? "", entry: fault ? fault.entry || this.entries : 0, detail: fault?.detail ?? "",
      game: this.game, mode: this.mode, head: this.head, entries: this.entries, steps: this.k, draws: this.draws,
      sealed: this.ended ? 0 : this.secrets.size, ended: this.ended, rounds: this.rounds, witnessed: this.witnessed,
      unwitnessed: this.unwitnessed, compared: this.compared, edition: this.edition, words: this.words, wordless: this.wordless(),
      answers: [...this.answers.values()].sort((a, b) => byCodePoint(a[0], b[0]) || byCodePoint(a[1], b[1])),
      receipts: this.receipts, cards: this.cards, sources: this.sources,
      waiting: this.pending && this.mode === "beacon" && this.network
        ? { step: this.pending.k, round: this.pending.round, due: this.dueOf(this.pending.round) } : null,
      dice: this.tally.spreads(), shown: this.shown, keys: this.keys,
    };
  }
}

const CHECKS = new Map(["receipt", "close", "result", "kept", "opened", "rollback", "source", "act", "end"].map((kind) =>
  [kind, Auditor.prototype[`take${kind[0].toUpperCase()}${kind.slice(1)}`]]));
