// How the dice fell, counted by size and seat.
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
