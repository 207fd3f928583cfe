// What a player's letters say: heads, receipts, dealt cards, and when his own server took each letter.
const isHex = (text, digits) => typeof text === "string" && text.length === digits && /^[0-9a-f]*$/.test(text);

// The proof of a dealt card, if the line is one; an entry of a log is none.
function proofIn(line) {
  let said;
  try {
    said = JSON.parse(line);
  } catch {
    return null;
  }
  const { label, card, salt, root, step, position, size, path } = said ?? {};
  const texts = typeof label === "string" && typeof card === "string" && isHex(salt, 32) && isHex(root, 64);
  const numbers = [step, position, size].every((each) => Number.isInteger(each) && each >= 0 && each < 2 ** 31);
  if (!texts || !numbers || !Array.isArray(path) || !path.every((link) => isHex(link, 64))) return null;
  return { label, step, position, size, card, salt, path, root };
}

function attachedTo(letter) {
  const found = [];
  for (const part of letter.matchAll(/Content-Transfer-Encoding:\s*base64[^]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/gi)) {
    try {
      found.push(new TextDecoder().decode(Uint8Array.from(atob(part[1].replace(/\s/g, "")), (byte) => byte.charCodeAt(0))));
    } catch {
      // A picture cut short is no letter.
    }
  }
  return found.join("\n");
}

function readLetters(text) {
  const mailbox = { heads: [], receipts: [], seen: [], proofs: new Map() };
  for (const letter of text.split(/^From [^\n]*\n/m)) {
    const plain = letter.replace(/=\r?\n/g, "").replace(/(?:=[0-9A-F]{2})+/g, (quoted) =>
      new TextDecoder().decode(bytesOf(quoted.replaceAll("=", ""))));
    const attached = attachedTo(letter);
    const words = `${letter}\n${plain}\n${attached}`.replace(/\s*\n[>|\s]*/g, " ");
    const heads = [...words.matchAll(/log #(\d{1,12}) head=([0-9a-f]{16,64})/g)].map((found) => [Number(found[1]), found[2]]);
    mailbox.heads.push(...heads);
    for (const found of words.matchAll(/(?:log #|journal n[°o]\s*)(\d{1,12})\s*·\s*(?:leaf|feuille) ([0-9a-f]{16,64})\s*·\s*(?:salt|sel) /g)) {
      mailbox.receipts.push([Number(found[1]), found[2]]);
    }
    for (const line of `${plain}\n${attached}`.split(/\r?\n/)) {
      const proof = line.includes('"salt"') && line.includes('"path"') ? proofIn(line.trim()) : null;
      if (proof && mailbox.proofs.size < 100000) mailbox.proofs.set(JSON.stringify(proof), proof);
    }
    const stamp = /^Received:((?:.*\r?\n[ \t])*.*)$/im.exec(letter);
    const came = stamp ? Date.parse(stamp[1].slice(stamp[1].lastIndexOf(";") + 1).replace(/\([^)]*\)/g, "").trim()) : NaN;
    if (!Number.isNaN(came) && heads.length) mailbox.seen.push([Math.max(...heads.map(([number]) => number)), came / 1000]);
  }
  return mailbox;
}
