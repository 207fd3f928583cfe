// Small pictures of luck, as in pbem/dice/plots.py: bars of the faces, and the course of each seat's dice.
const COLOURS = [["#7d2a22", ""], ["#24466b", "6 3"], ["#2c5a2e", "2 2"], ["#2e2418", "8 2 2 2"], ["#7a5c12", "4 1"]];

function svg(name, attributes, text) {
  const node = document.createElementNS(document.getElementById("paper").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== "") node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// For each seat, die by die: the sum so far of how many standard deviations each die strayed.
function courses(draws) {
  const paths = new Map();
  for (const { kind, sides, seat, values } of draws) {
    if (kind !== "roll" || sides < 2 || !seat) continue;
    const spread = Math.sqrt((sides ** 2 - 1) / 12), path = paths.get(seat) ?? [0];
    for (const value of values) path.push(path.at(-1) + (value - (sides + 1) / 2) / spread);
    if (path.length > 1) paths.set(seat, path);
  }
  return paths;
}

// The band is where nineteen of twenty fair rows of dice end.
function coursePicture(paths, title) {
  const picture = svg("svg", { viewBox: "0 0 760 220", role: "img", class: "course" });
  picture.append(svg("title", {}, title));
  const left = 34, right = 750, top = 8, bottom = 184, middle = (top + bottom) / 2;
  const longest = Math.max(...[...paths.values()].map((path) => path.length)) - 1, edge = 1.96 * Math.sqrt(longest);
  let most = edge;
  for (const path of paths.values()) for (const value of path) most = Math.max(most, Math.abs(value));
  most *= 1.08;
  const place = (n, value) => `${(left + ((right - left) * n) / longest).toFixed(1)},${(middle - (((bottom - top) / 2) * value) / most).toFixed(1)}`;
  const ticks = Array.from({ length: 41 }, (_, n) => (n * longest) / 40);
  const band = [...ticks.map((n) => place(n, 1.96 * Math.sqrt(n))), ...ticks.reverse().map((n) => place(n, -1.96 * Math.sqrt(n)))];
  picture.append(svg("polygon", { points: band.join(" "), fill: "#ece4d0" }));
  picture.append(svg("line", { x1: left, x2: right, y1: middle, y2: middle, stroke: "#a8977a", "stroke-dasharray": "2 3" }));
  picture.append(svg("text", { x: left - 6, y: middle + 4, "text-anchor": "end" }, "0"));
  [...paths].slice(0, 12).forEach(([seat, path], n, all) => {
    const [colour, dashes] = COLOURS[n % COLOURS.length], every = Math.max(1, Math.floor(path.length / 400));
    const points = path.map((value, at) => [at, value]).filter(([at]) => at % every === 0 || at === path.length - 1);
    const line = { fill: "none", stroke: colour, "stroke-width": 1.5, "stroke-dasharray": dashes };
    picture.append(svg("polyline", { points: points.map(([at, value]) => place(at, value)).join(" "), ...line }));
    const x = left + (n * (right - left)) / all.length;
    picture.append(svg("line", { x1: x, x2: x + 22, y1: bottom + 18, y2: bottom + 18, ...line }));
    picture.append(svg("text", { x: x + 28, y: bottom + 22 }, seat.slice(0, 24)));
  });
  return picture;
}

function bars(counts) {
  const box = document.createElement("div"), most = Math.max(...counts, 1);
  box.className = "bars";
  for (const [i, count] of counts.slice(0, 100).entries()) {
    const bar = document.createElement("i");
    bar.style.height = `${(100 * count) / most}%`;
    bar.title = `${i + 1}: ${count}`;
    box.append(bar);
  }
  const fair = document.createElement("b");
  fair.style.bottom = `${(100 * counts.reduce((a, b) => a + b, 0)) / counts.length / most}%`;
  box.append(fair);
  return box;
}
