// The page itself: takes the file, shows the verdict. Everything from the log is set as text, never as HTML.
const PAGE_WORDS = {
  en: {
    other: "Français", title: "The dice, checked", lead: "Drop the log of a game here, your own letters beside it if you like. It stays on your computer: this page asks nobody anything.",
    drop: "Drop the log here (game.jsonl), or choose it", letters: "Compare with your own letters (paste their text, or several messages)",
    busy: "Checking… {entries} entries", good: "✓ Everything checks", bad: "✗ Entry {entry} is wrong",
    facts: "The log", dice: "How the dice fell", who: "Whose", die: "Die", count: "Dice", mean: "Mean (fair)", runs: "Runs z", faces: "Faces",
    course: "Luck of each seat, die by die; fair dice stay inside the band nineteen times in twenty", draws: "Find a draw", label: "Label", rule: "Rule", values: "Result", everyone: "all", sealed: "sealed", search: "label, rule or seat", byhand: "This roll by hand, with Python alone:",
    footer: "Levels 1 and 2: entries, seeds, labels and dice; rounds and signatures of the public beacon (drand quicknet). With your letters also level 3: heads, receipts, dealt cards, and whether each close came before its round. A replay by the rules needs pbem itself. An odd mean proves nothing; be suspicious when p is below 0.01.",
  },
  fr: {
    other: "English", title: "Les dés, vérifiés", lead: "Déposez ici le registre d'une partie, vos lettres avec si vous voulez. Il reste sur votre ordinateur : cette page n'interroge personne.",
    drop: "Déposez le registre ici (game.jsonl), ou choisissez-le", letters: "Comparer avec vos propres lettres (collez leur texte, ou plusieurs messages)",
    busy: "Vérification… {entries} entrées", good: "✓ Tout est juste", bad: "✗ L'entrée {entry} est fausse",
    facts: "Le registre", dice: "Comment les dés sont tombés", who: "À qui", die: "Dé", count: "Dés", mean: "Moyenne (juste)", runs: "Suites z", faces: "Faces",
    course: "Chance de chacun, dé par dé ; des dés justes restent dans la bande dix-neuf fois sur vingt", draws: "Trouver un tirage", label: "Étiquette", rule: "Règle", values: "Résultat", everyone: "tous", sealed: "scellé", search: "étiquette, règle ou siège", byhand: "Ce jet à la main, avec Python seul :",
    footer: "Niveaux 1 et 2 : entrées, graines, étiquettes et dés ; tours et signatures de la balise publique (drand quicknet). Avec vos lettres aussi le niveau 3 : têtes, reçus, cartes données, et si chaque clôture vint avant son tour. Un rejeu selon les règles demande pbem. Une moyenne étrange ne prouve rien ; méfiez-vous quand p est inférieur à 0,01.",
  },
};
const $ = (id) => document.getElementById(id);
let lang = (navigator.language || "en").startsWith("fr") ? "fr" : "en";
let last = null, work = 0;

const fill = (text, facts) => text.replace(/\{(\w+)[^}]*\}/g, (_, name) => facts[name] ?? "");
const when = (time) => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;

function statistics({ sides, counts, high, low, runs }) {
  const count = counts.reduce((a, b) => a + b, 0), fair = count / sides;
  const mean = counts.reduce((total, each, i) => total + each * (i + 1), 0) / count;
  const chi = counts.reduce((total, each) => total + (each - fair) ** 2, 0) / fair;
  let p = null, z = null;
  if (sides > 1 && count >= 5 * sides) {
    const spread = 2 / (9 * (sides - 1));
    p = upperTail((Math.cbrt(chi / (sides - 1)) - (1 - spread)) / Math.sqrt(spread));
  }
  if (Math.min(high, low) >= 10) {
    const total = high + low, product = 2 * high * low;
    z = (runs - 1 - product / total) / Math.sqrt((product * (product - total)) / (total * total * (total - 1)));
  }
  return { count, mean, chi, p, z };
}

// The chance of a normal variable beyond x (Abramowitz and Stegun 7.1.26; good to seven digits).
function upperTail(x) {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const tail = 0.5 * Math.exp((-x * x) / 2) *
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return x >= 0 ? tail : 1 - tail;
}

function row(table, cells, numbers = []) {
  const line = document.createElement("tr");
  for (const [column, cell] of cells.entries()) {
    const place = document.createElement("td");
    if (cell instanceof Node) place.append(cell);
    else place.textContent = cell;
    if (numbers.includes(column)) place.className = "n";
    line.append(place);
  }
  table.append(line);
}

function say() {
  const words = PAGE_WORDS[lang];
  document.documentElement.lang = lang;
  document.title = `pbem: ${words.title}`;
  for (const place of document.querySelectorAll("[data-say]")) place.textContent = words[place.dataset.say];
  $("lang").textContent = words.other;
  $("search").placeholder = words.search;
  if (last) show();
}

// What was witnessed and what was not, each in a sentence.
function qualified(verdict, said) {
  const lines = [], closes = verdict.steps + (verdict.waiting ? 1 : 0);
  if (verdict.mode === "beacon") {
    const entries = verdict.unwitnessed.map((entry) => `#${entry}`).join(", ") + (closes - verdict.witnessed > verdict.unwitnessed.length ? "…" : "");
    if (verdict.unwitnessed.length) lines.push(fill(said.unwitnessed, { n: verdict.witnessed, closes, entries }));
    else if (closes) lines.push(fill(said.all_witnessed, { closes }));
  } else if (verdict.words.length) {
    lines.push(fill(said.words, { seats: verdict.words.join(", ") }));
    if (verdict.wordless.length) lines.push(fill(said.wordless, { seats: verdict.wordless.join(", ") }));
  } else if (verdict.steps) lines.push(said.no_word);
  lines.push(verdict.compared ? fill(said.compared, { n: verdict.compared }) : said.uncompared);
  const answers = verdict.answers.map(([seat, origin, count]) => `${seat} ${count} ${said[`by_${origin}`] ?? origin}`).join(", ");
  if (answers) lines.push(fill(said.answers, { answers }));
  else if (verdict.edition === 1 && verdict.ended) lines.push(said.first_edition);
  return lines;
}

function show() {
  const words = PAGE_WORDS[lang], { verdict, line } = last, said = FACTS.words[lang];
  $("verdict").className = verdict.ok ? "good" : "bad";
  $("verdict").textContent = fill(verdict.ok ? words.good : words.bad, verdict);
  const reason = FACTS.reasons[lang][verdict.code] ?? verdict.code;
  $("why").textContent = verdict.ok
    ? fill(verdict.mode === "beacon" ? said.public : said.foresee, verdict)
    : `${reason} [${verdict.code}]${verdict.detail ? `: ${verdict.detail}` : ""}`;
  $("line").hidden = !line;
  $("line").textContent = line;
  $("more").hidden = !verdict.entries;
  const facts = [fill(said.good, verdict).replace(/^[^:]*: */, ""), `log #${verdict.entries} head=${verdict.head.slice(0, 16)}`];
  if (verdict.waiting) facts.push(fill(said.waiting, { k: verdict.waiting.step, round: verdict.waiting.round, due: when(verdict.waiting.due) }));
  if (verdict.sources.length) facts.push(fill(said.sources, { entries: verdict.sources.join(", ") }));
  if (verdict.ok) facts.push(...qualified(verdict, said));
  if (verdict.receipts) facts.push(fill(said.receipts, verdict));
  if (verdict.cards) facts.push(fill(said.cards, { n: verdict.cards }));
  if (verdict.sealed) facts.push(fill(said.sealed, verdict));
  $("facts").textContent = facts.join("\n");
  $("spreads").replaceChildren();
  for (const spread of verdict.dice) {
    const { count, mean, chi, p, z } = statistics(spread);
    row($("spreads"), [spread.seat || words.everyone, `d${spread.sides}`, String(count), `${mean.toFixed(2)} (${(spread.sides + 1) / 2})`,
      chi.toFixed(1), p === null ? "" : p.toFixed(3), z === null ? "" : z.toFixed(1), bars(spread.counts)], [2, 3, 4, 5, 6]);
  }
  const paths = courses(verdict.shown);
  $("course").replaceChildren(...(paths.size ? [coursePicture(paths, words.course)] : []));
  $("course").hidden = $("courselead").hidden = !paths.size;
  find();
}

function find() {
  const wanted = $("search").value.trim().toLowerCase(), words = PAGE_WORDS[lang];
  $("draws").replaceChildren();
  const found = last.verdict.shown.filter((draw) => [draw.label, draw.rule, draw.seat].some((text) => text.toLowerCase().includes(wanted)));
  for (const draw of found.slice(-200).reverse()) {
    const values = draw.kind === "roll" ? draw.values : draw.items;
    row($("draws"), [draw.label, draw.rule, draw.seat, values.length ? values.slice(0, 100).join(", ") : words.sealed]);
  }
  const key = found.length === 1 ? last.verdict.keys.get(found[0].step) : undefined;
  const command = key && last.verdict.ok ? commandFor(last.verdict.game, found[0], key) : "";
  $("command").hidden = $("byhand").hidden = !command;
  $("command").textContent = command;
}

// Of several files the one that begins like a log is the log, the others are letters.
async function take(files) {
  if (!files.length) return;
  const opening = await Promise.all(files.map((file) => file.slice(0, 2000).text()));
  const at = Math.max(0, opening.findIndex((text) => text.startsWith("{") && text.includes('"genesis"')));
  const letters = await Promise.all(files.filter((file, n) => n !== at && file.size < 1 << 26).map((file) => file.text()));
  await check(files[at], [$("letters").value, ...letters].join("\nFrom \n"));
}

async function check(file, letters) {
  const mine = ++work, audit = new Audit(letters), size = 1 << 18;
  $("verdict").className = "busy";
  $("why").textContent = "";
  $("line").hidden = $("more").hidden = true;
  for (let at = 0; at < file.size && !audit.fault; at += size) {
    audit.feed(new Uint8Array(await file.slice(at, at + size).arrayBuffer()));
    $("verdict").textContent = fill(PAGE_WORDS[lang].busy, audit.auditor);
    await new Promise((done) => setTimeout(done));
    if (mine !== work) return;
  }
  const verdict = audit.finish();
  const head = verdict.ok ? "" : await file.slice(0, 1 << 24).text();
  last = { verdict, line: verdict.ok ? "" : (head.split("\n", verdict.entry)[verdict.entry - 1] ?? "").slice(0, 4000) };
  show();
}

$("lang").addEventListener("click", () => { lang = lang === "en" ? "fr" : "en"; say(); });
$("file").addEventListener("change", () => take([...$("file").files]));
$("search").addEventListener("input", () => last && find());
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", name === "dragover");
    if (name === "drop") take([...event.dataTransfer.files]);
  });
}
say();
