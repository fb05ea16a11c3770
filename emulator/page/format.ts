import { type Html, html } from "./html";

/** Returns milliseconds with at most three significant digits: `0.42 ms`, `12 ms`, `1,204 ms`. */
export function milliseconds(ms: number): string {
  const digits = ms < 1 ? 2 : ms < 10 ? 1 : 0;
  return `${new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(ms)} ms`;
}

/** Returns the time between consecutive rounds in hours, minutes or seconds, such as `2 min`. */
export function interval(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** Returns a UTC time. Times on the current day include seconds. Times on other days include the date. */
export function moment(at: number | string, now: number): Html {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return html`${String(at)}`;
  const iso = date.toISOString();
  const today = iso.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  const shown = today ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
  return html`<time datetime="${iso}" title="${iso.slice(0, 19).replace("T", " ")} UTC">${shown}</time>`;
}

/** Returns user-provided text in its own element, so that right-to-left text does not affect its surroundings. */
export function userText(text: string): Html {
  return html`<bdi>${text === "" ? "(no name)" : text}</bdi>`;
}
