// Why each answer of a finished game was given, as in pbem/dice/audit/reasons.py: the same checks with the same names.
function valueIn(text) {
  try { return parseJson(text); } catch (error) { return null; }
}

function standingIn(text) {
  if (!text.startsWith("{")) return null;
  const said = valueIn(text), orders = said instanceof Map ? said.get("standing") : null;
  return Array.isArray(orders) ? orders : null;
}

// How many of some sorted numbers are smaller than a number.
function countBelow(numbers, wanted) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < wanted) low = middle + 1; else high = middle;
  }
  return low;
}

class Reasons {
  constructor() {
    Object.assign(this, { receipts: new Map(), silences: new Map(), deadlines: new Map(), goneOn: [], masters: new Map(),
      corrected: new Map(), acting: new Map(), undone: new Set(), opened: new Map(), defaults: new Set(), before: [], spans: null });
  }

  take(n, kind, at, body) {
    if (kind === "genesis") {
      const setup = body.get("setup"), defaults = setup instanceof Map ? setup.get("standing") : null;
      this.defaults = new Set(Array.isArray(defaults) ? defaults.map(canonical) : []);
    } else if (kind === "receipt") this.receipts.set(n, [read.text(body, "player", 200), read.text(body, "leaf", 64)]);
    else if (kind === "rollback") {
      const target = read.number(body, "target", 1, n);
      for (const entry of [...this.receipts.keys(), ...this.masters.keys()]) if (entry > target) this.undone.add(entry);
    } else if (kind === "opened" && body.has("orders")) {
      for (const shown of read.many(body, "orders", LIMITS.labels)) {
        const [player, salt, orders] = ["player", "salt", "orders"].map((name) => read.text(shown, name, LIMITS.line));
        this.opened.set(hexOf(sha256(utf8(`leaf|${player}|${salt}|${orders}`))), orders);
      }
    } else if (kind === "act") this.act(n, at, body);
  }

  act(n, at, body) {
    const act = body.get("act"), deputies = ["substitute", "caretaker"], changes = [...deputies, "back", "replace"];
    const seat = ["deadline", "silence", "act_for", ...changes].includes(act) ? read.text(body, "seat", 200) : "";
    const note = (list, item) => list.set(seat, [...(list.get(seat) ?? []), item]);
    if (act === "deadline") {
      const until = seconds(read.text(body, "until", 40));
      this.deadlines.set(seat, [n, until + read.number(body, "grace", 0, 100000) * 3600]);
    } else if (act === "silence") {
      const keys = new Set(read.texts(read.many(body, "keys", LIMITS.labels))), due = this.deadlines.get(seat);
      const overdue = this.goneOn.length > 0 || (due !== undefined && due[1] <= seconds(at));
      this.silences.set(n, { seat, keys, overdue });
    } else if (act === "answers") this.before = [...this.before, ...read.many(body, "answers", LIMITS.labels)];
    else if (act === "process") this.goneOn.push(n);
    else if (act === "act_for") this.masters.set(n, [seat, read.text(body, "leaf", 64)]);
    else if (act === "correct") this.corrected.set(n, [read.number(body, "answers", 0, LIMITS.labels), read.text(body, "leaf", 64)]);
    else if (changes.includes(act)) note(this.acting, [n, deputies.includes(act) ? act : ""]);
  }

  leaves(n) { return (this.masters.get(n) ?? this.corrected.get(n))?.[1] ?? ""; }

  plays(seat, n) {
    const changes = this.acting.get(seat) ?? [], at = countBelow(changes.map(([entry]) => entry), n + 1);
    return at ? changes[at - 1][1] : "";
  }

  held(answer, order) {
    if (!this.spans) {
      this.spans = new Map();
      const sets = new Map();
      for (const [n, [player, leaf]] of this.receipts) {
        const orders = this.opened.has(leaf) ? standingIn(this.opened.get(leaf)) : null;
        if (orders) sets.set(player, [...(sets.get(player) ?? []), [n, orders]]);
      }
      for (const [seat, changes] of sets) {
        changes.forEach(([n, orders], at) => {
          for (const one of orders) {
            const name = `${seat}|${canonical(one)}`;
            if (!this.spans.has(name)) this.spans.set(name, []);
            this.spans.get(name).push([n, changes[at + 1]?.[0] ?? Infinity]);
          }
        });
      }
    }
    const spans = this.spans.get(`${answer.seat}|${order}`) ?? [], at = countBelow(spans.map(([start]) => start), answer.until);
    return at > 0 && spans[at - 1][1] > answer.since;
  }

  fault(answer, why) { return new Fault("answer", `#${answer.n} ${answer.seat} ${answer.key}: ${why}`.slice(0, 200), answer.cause); }

  answers(journal, n) {
    const found = [];
    for (const turn of [...this.before, ...read.many(journal, "answers", LIMITS.labels)]) {
      if (!(turn instanceof Map)) throw new Fault("fields", "answers");
      const [key, seat, origin, by] = ["key", "seat", "origin", "by"].map((name) => read.text(turn, name, 100000));
      const named = /^(receipt|silence|master):([1-9][0-9]{0,8})$/.exec(by);
      const cause = named && Number(named[2]) < n ? Number(named[2]) : 0, since = Math.max(cause, found.at(-1)?.since ?? 1);
      const answer = { n: found.length + 1, key, seat, origin, by, said: turn.get("answer"), named: cause ? named[1] : "", cause, since, until: n };
      if (cause && cause < since) throw this.fault(answer, "it comes after a later one");
      found.push(answer);
    }
    let until = n;
    for (const answer of found.toReversed()) {
      answer.until = until;
      until = answer.cause || until;
    }
    return found;
  }

  check(journal, n) {
    const answers = this.answers(journal, n), together = new Map();
    for (const answer of answers) {
      this.origin(answer);
      if (answer.cause && !this.silences.has(answer.cause)) {
        if (!together.has(answer.cause)) together.set(answer.cause, []);
        together.get(answer.cause).push(answer);
      }
    }
    for (const same of together.values()) this.asSealed(same);
    for (const entry of [...this.receipts.keys(), ...this.masters.keys()].sort((a, b) => a - b)) {
      if (this.undone.has(entry)) continue;
      const leaf = this.receipts.get(entry)?.[1] ?? this.leaves(entry);
      if (!this.opened.has(leaf)) throw new Fault("unopened", `log #${entry}`, entry);
      if (!together.has(entry) && !standingIn(this.opened.get(leaf))) throw new Fault("unplayed", `log #${entry}`, entry);
    }
    this.corrections(journal);
    return answers;
  }

  origin(answer) {
    const { origin, named, seat, cause, by, key } = answer;
    if (origin === "only" && !by) return;
    if (origin === "standing") {
      const order = valueIn(by), said = order === null ? "" : canonical(order);
      if (order === null || !(this.defaults.has(said) || this.held(answer, said))) {
        throw this.fault(answer, "no such standing order of that seat was sealed before");
      }
    } else if (["letter", "withdrawn", "substitute"].includes(origin) && named === "receipt") {
      if (this.receipts.get(cause)?.[0] !== seat) throw this.fault(answer, "no receipt for a letter of that seat");
      if (origin === "substitute" && this.plays(seat, cause) !== "substitute") throw this.fault(answer, "no substitute had taken over");
    } else if (["default", "substitute"].includes(origin) && named === "silence") {
      const silence = this.silences.get(cause);
      if (silence?.seat !== seat || !silence.keys.has(key)) throw this.fault(answer, "no silence of that seat was written down");
      const caretaker = this.plays(seat, cause) === "caretaker";
      if (caretaker !== (origin === "substitute")) throw this.fault(answer, "not the answer of whoever played that seat");
      if (!caretaker && !silence.overdue) throw this.fault(answer, "no deadline of that seat had passed");
    } else if (origin === "master" && named === "master") {
      if (this.masters.get(cause)?.[0] !== seat) throw this.fault(answer, "no game master acted for that seat");
    } else throw this.fault(answer, `${origin.slice(0, 20)} without a reason`);
  }

  asSealed(same) {
    const leaf = this.receipts.get(same[0].cause)?.[1] || this.leaves(same[0].cause);
    if (!this.opened.has(leaf)) throw new Fault("unopened", `log #${same[0].cause}`, same[0].cause);
    if (same.some((answer) => answer.said === undefined)) throw new Fault("fields", "answers");
    if (this.opened.get(leaf) !== canonical(same.map((answer) => [answer.key, answer.said]))) throw this.fault(same[0], "not the orders that were sealed");
  }

  corrections(journal) {
    const made = new Set();
    for (const [answers, leaf] of this.corrected.values()) if (this.opened.has(leaf)) made.add(`${answers}|${this.opened.get(leaf)}`);
    for (const one of journal.has("corrections") ? read.many(journal, "corrections", LIMITS.labels) : []) {
      if (!(one instanceof Map)) throw new Fault("fields", "corrections");
      const [answers, path] = [read.number(one, "answers", 0, LIMITS.labels), read.text(one, "path", 1000)];
      if (one.get("value") === undefined) throw new Fault("fields", "corrections");
      const what = canonical([path, one.get("value")]);
      if (!made.has(`${answers}|${what}`)) throw new Fault("correction", what.slice(0, 120));
    }
  }
}
