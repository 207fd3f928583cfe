for (const frame of document.querySelectorAll("iframe.frame")) {
  const fit = () => {
    const page = frame.contentDocument;
    if (page && page.body) frame.style.height = page.body.scrollHeight + 4 + "px";
  };
  frame.addEventListener("load", fit);
  addEventListener("resize", fit);
  fit();
}
