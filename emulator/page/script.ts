/**
 * The page's one script. It keeps what is on a page as it is now: it puts in rows of requests that came since the last look, and
 * replaces the parts that the server renders otherwise by now. Pages work without it, but for faults: the control API takes JSON
 * alone. It is text, because nothing but TypeScript is built; it puts in what the server rendered (and escaped).
 *
 * Polling, not a stream: a browser has six connections to a server, and a stream an open tab would use them up.
 */
export const script = `"use strict";
(() => {
  const controls = document.querySelector(".live");
  if (!controls) return;
  const rows = document.querySelector("[data-live]");
  const parts = [...document.querySelectorAll("[data-part]")];
  const [pause] = controls.getElementsByTagName("button");
  const [label] = controls.getElementsByTagName("label");
  const [announce] = controls.getElementsByTagName("input");
  const [status] = controls.getElementsByTagName("p");
  const shown = new Map(parts.map((part) => [part, part.innerHTML]));
  let running = true;
  let timer;
  let wait = 1000;
  let turn = 0;

  const report = (text) => { if (status.textContent !== text) status.textContent = text; };

  function put(markup, oldest) {
    const template = document.createElement("template");
    template.innerHTML = markup;
    const fresh = [...template.content.children];
    for (const row of fresh) row.className = "new";
    rows.prepend(...fresh);
    // Rows that the emulator no longer has are removed: a reset empties the list.
    for (const row of [...rows.children]) if (Number(row.dataset.number) < oldest) row.remove();
    while (rows.children.length > Number(rows.dataset.keep)) rows.lastElementChild.remove();
    document.querySelector("#no-requests").hidden = rows.children.length > 0;
    rows.closest("table").hidden = rows.children.length === 0;
    if (fresh.length === 0) return;
    rows.dataset.after = fresh[0].dataset.number;
    const more = fresh.length > 1 ? " and " + (fresh.length - 1) + " more" : "";
    report(announce.checked ? fresh[0].dataset.summary + more : "Live");
  }

  async function load(url) {
    const answer = await fetch(url, { headers: { accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer;
  }

  async function lookAtRows() {
    const after = rows.firstElementChild?.dataset.number ?? rows.dataset.after;
    const answer = await load(rows.dataset.live + "&after=" + after);
    put(await answer.text(), Number(answer.headers.get("x-oldest")));
  }

  /** The same control in a part that was replaced. */
  function again(part, element) {
    if (element.id) return document.getElementById(element.id);
    const same = (other) => other.tagName === element.tagName && other.getAttribute("href") === element.getAttribute("href") &&
      other.dataset.fault === element.dataset.fault;
    return [...part.querySelectorAll("a, button, summary, [tabindex]")].find(same);
  }

  async function lookAtParts() {
    const answer = await load(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts) {
      const now = fresh.getElementById(part.id);
      const selection = getSelection();
      const selecting = selection && !selection.isCollapsed && selection.containsNode(part, true);
      if (!now || selecting || shown.get(part) === now.innerHTML) continue;
      shown.set(part, now.innerHTML);
      const focused = part.contains(document.activeElement) ? document.activeElement : undefined;
      part.replaceChildren(...now.childNodes);
      if (focused) again(part, focused)?.focus({ preventScroll: true });
    }
    enable();
  }

  async function look() {
    const started = performance.now();
    try {
      if (rows) await lookAtRows();
      if (parts.length > 0 && turn % 2 === 0) await lookAtParts();
      turn += 1;
      if (/does not answer|no longer/.test(status.textContent)) report("Live");
      // A page that takes long to render is asked for less often.
      wait = Math.max(1000, 5 * (performance.now() - started));
    } catch (error) {
      wait = Math.min(wait * 2, 10000);
      report(error.message === "404" ? "This no longer exists." : "The emulator does not answer. Trying again.");
    }
    if (running && !document.hidden) timer = setTimeout(look, wait);
  }

  function go() {
    clearTimeout(timer);
    if (running && !document.hidden) look();
  }

  async function control(method, path, body) {
    const answer = await fetch("/_emulator/" + path, {
      method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body),
    });
    if (answer.ok) return "";
    const problem = await answer.json();
    return problem.errors?.map(({ field, message }) => field + " " + message).join("; ") || problem.detail;
  }

  const enable = () => { for (const button of document.querySelectorAll(".drop")) button.disabled = false; };

  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-fault]");
    if (!button) return;
    await control("DELETE", "faults/" + button.dataset.fault);
    await lookAtParts();
    document.querySelector(".fault select")?.focus();
  });

  const form = document.querySelector(".fault");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    for (const name of ["n", "ms", "status"]) if (name in given) given[name] = Number(given[name]);
    const problem = await control("POST", "faults", given);
    form.querySelector("[role=status]").textContent = problem || "Added.";
    await lookAtParts();
  });
  if (form) form.hidden = false;

  const copy = document.querySelector(".copy");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copy.parentElement.querySelector("pre").textContent);
      copy.textContent = "Copied";
    });
  }

  for (const fold of document.querySelectorAll(".fold")) if (matchMedia("(max-width: 46rem)").matches) fold.open = false;

  pause.addEventListener("click", () => {
    running = !running;
    pause.textContent = running ? "Pause" : "Resume";
    report(running ? "Live" : "Paused");
    go();
  });
  announce.addEventListener("change", () => status.setAttribute("aria-live", announce.checked ? "polite" : "off"));
  document.addEventListener("visibilitychange", go);
  label.hidden = !rows;
  controls.hidden = !rows && parts.length === 0;
  enable();
  go();
})();
`;
