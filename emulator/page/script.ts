/**
 * The only script of the emulator's page. Pages also work without the script.
 *
 * The script inserts rows for new requests, and replaces the parts of the page that have changed on the server. The script inserts only
 * markup that the server rendered and escaped.
 *
 * The script also sends the content of forms and buttons as JSON requests.
 *
 * The script is in a string, because the build processes only TypeScript files.
 *
 * The script polls the server, because a browser has only six connections to a server. With a stream for each open tab, a browser would
 * soon use all six connections.
 */
export const script = `"use strict";
(() => {
  const { token } = document.currentScript.dataset;
  document.documentElement.classList.add("scripted");
  const controls = document.querySelector(".live");
  if (!controls) return;
  const rows = document.querySelector("[data-live]");
  const parts = [...document.querySelectorAll("[data-part]")];
  const [pause] = controls.getElementsByTagName("button");
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
    // A reset of the emulator empties the list, so old rows are removed.
    for (const row of [...rows.children]) if (Number(row.dataset.number) < oldest) row.remove();
    while (rows.children.length > Number(rows.dataset.keep)) rows.lastElementChild.remove();
    document.querySelector("#no-requests").hidden = rows.children.length > 0;
    rows.closest("table").hidden = rows.children.length === 0;
    if (fresh.length === 0) return;
    rows.dataset.after = fresh[0].dataset.number;
    report("Live");
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

  /** Returns the new control in place of a control that was replaced together with its part of the page. */
  function again(part, element) {
    if (element.id) return document.getElementById(element.id);
    const same = (other) => other.tagName === element.tagName && other.getAttribute("href") === element.getAttribute("href") &&
      other.dataset.send === element.dataset.send;
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
  }

  async function look() {
    const started = performance.now();
    try {
      if (rows) await lookAtRows();
      if (parts.length > 0 && turn % 2 === 0) await lookAtParts();
      turn += 1;
      if (/does not answer|no longer/.test(status.textContent)) report("Live");
      // Requests for a slow page are less frequent.
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

  const readers = {
    integer: ({ value }) => Number(value),
    number: ({ value }) => Number(value),
    boolean: ({ value }) => value === "true",
    list: ({ value, selectedOptions }) =>
      selectedOptions ? [...selectedOptions].map((option) => option.value) : value.split(/[\\s,]+/).filter((id) => id !== ""),
    filters: ({ value }) => value.split("\\n").filter((line) => line.trim() !== "").map((line) => {
      const [, not, custom, key = line, values = ""] = /^(not )?(custom )?(.*?): *(.*)$/.exec(line.trim()) ?? [];
      return {
        key, values: values.split(",").map((text) => text.trim()),
        ...(not && { mode: "not-in" }), ...(custom && { scope: "custom" }),
      };
    }),
  };

  const isChanged = (field) => field.options
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.value !== field.defaultValue;

  /** Returns the body of a request, with constant members and changed fields. */
  function bodyOf({ dataset, elements = [] }) {
    const body = dataset.whole && JSON.parse(dataset.whole);
    for (const field of elements) {
      if (!field.name || !isChanged(field)) continue;
      if (field.value === "" && field.dataset.as !== "list" && field.dataset.as !== "filters") delete body[field.name];
      else body[field.name] = readers[field.dataset.as]?.(field) ?? field.value;
    }
    return body && JSON.stringify(body);
  }

  async function send(element) {
    const [method, path] = element.dataset.send.split(" ");
    const headers = { "content-type": "application/json", ...(path.startsWith("/v7/") && { authorization: "Bearer " + token }) };
    const answer = await fetch(path, { method, headers, body: bodyOf(element) });
    const answered = JSON.parse(await answer.text() || "{}");
    const status = (element.closest("form, .actions") ?? document).querySelector("[role=status]");
    if (!answer.ok) {
      const reasons = answered.errors?.map(({ field, message }) => field + " " + message).join("; ");
      status.textContent = reasons || [answered.title, answered.detail].filter(Boolean).join(": ");
      return;
    }
    const { next } = element.dataset;
    if (next !== undefined) location.assign(next.replace("*", answered.testId ?? answered.id));
    else {
      status.textContent = "Done.";
      await lookAtParts();
      // The button no longer exists if its record was deleted.
      if (!element.isConnected) (document.querySelector("form[data-send] select") ?? document.querySelector("#main")).focus();
    }
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("button[data-send]");
    if (button) send(button);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.dataset.send) return;
    event.preventDefault();
    send(event.target);
  });

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
  document.addEventListener("visibilitychange", go);
  controls.hidden = !rows && parts.length === 0;
  go();
})();
`;
