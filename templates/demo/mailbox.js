const news = document.getElementById("news");
const base = news.dataset.base;
const list = document.getElementById("list");
setInterval(async () => {
  try {
    const answer = await fetch(`${base}/count`, { cache: "no-store" });
    const count = (await answer.json()).letters;
    if (String(count) === news.dataset.count) return;
    if (list) location.replace(`${base}/`);
    else news.hidden = false;
  } catch {
    // The demo has ended, or sleeps; the page stays as it is.
  }
}, 1500);
