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
