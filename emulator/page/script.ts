/**
 * The page's one script: it fetches rows of requests that came since the last look. Everything else works without it. It is
 * text, because nothing but TypeScript is built; it puts in what the server rendered (and escaped).
 *
 * Polling, not a stream: a browser has six connections to a server, and a stream an open tab would use them up.
 */
export const script = `"use strict";
(() => {
  const rows = document.querySelector("[data-live]");
  const controls = document.querySelector(".live");
  if (!rows || !controls) return;
  const [pause] = controls.getElementsByTagName("button");
  const [announce] = controls.getElementsByTagName("input");
  const [said] = controls.getElementsByTagName("p");
  const { live, keep } = rows.dataset;
  let running = true;
  let timer;
  let wait = 1000;

  const say = (text) => { if (said.textContent !== text) said.textContent = text; };
  const newest = () => Number(rows.firstElementChild?.dataset.number ?? rows.dataset.after);

  function put(markup, oldest) {
    const template = document.createElement("template");
    template.innerHTML = markup;
    const fresh = [...template.content.children];
    for (const row of fresh) row.className = "new";
    rows.prepend(...fresh);
    // What the emulator has forgotten goes here too: a reset empties the list.
    for (const row of [...rows.children]) if (Number(row.dataset.number) < oldest) row.remove();
    while (rows.children.length > Number(keep)) rows.lastElementChild.remove();
    document.querySelector("#no-requests").hidden = rows.children.length > 0;
    rows.closest("table").hidden = rows.children.length === 0;
    if (fresh.length === 0) return;
    rows.dataset.after = fresh[0].dataset.number;
    const more = fresh.length > 1 ? " and " + (fresh.length - 1) + " more" : "";
    say(announce.checked ? fresh[0].dataset.said + more : "Live");
  }

  async function look() {
    try {
      const answer = await fetch(live + "?after=" + newest() + "&limit=" + keep, { headers: { accept: "text/html" } });
      if (!answer.ok) throw new Error(String(answer.status));
      if (wait > 1000) say("Live");
      put(await answer.text(), Number(answer.headers.get("x-oldest")));
      wait = 1000;
    } catch {
      wait = Math.min(wait * 2, 10000);
      say("The emulator does not answer. Trying again.");
    }
    if (running && !document.hidden) timer = setTimeout(look, wait);
  }

  function go() {
    clearTimeout(timer);
    if (running && !document.hidden) look();
  }

  pause.addEventListener("click", () => {
    running = !running;
    pause.textContent = running ? "Pause" : "Resume";
    say(running ? "Live" : "Paused");
    go();
  });
  announce.addEventListener("change", () => said.setAttribute("aria-live", announce.checked ? "polite" : "off"));
  document.addEventListener("visibilitychange", go);
  controls.hidden = false;
  go();
})();
`;
