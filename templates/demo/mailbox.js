const news = document.getElementById("news");
const list = document.getElementById("list");
setInterval(async () => {
  try {
    const answer = await fetch("/count", { cache: "no-store" });
    const count = (await answer.json()).letters;
    if (String(count) === news.dataset.count) return;
    if (list) location.replace("/");
    else news.hidden = false;
  } catch {
    // The demo has ended, or sleeps; the page stays as it is.
  }
}, 1500);
