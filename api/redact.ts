/** What stands in place of a secret. */
const hidden = "[secret]";

/** Shortest part of a Base64 text that is taken for a secret's own: less of it would be found in other text by chance. */
const shortestPart = 8;

/**
 * Makes a function that takes secrets out of text that a service wrote, as they are and as a service may echo them: URL-, form-,
 * JSON- or Base64-encoded, also within a longer Base64 text.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf));
  // Longest first, so that no secret leaves the tail of another behind.
  const wanted = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => wanted.reduce((clean, form) => clean.replaceAll(form, hidden), text);
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams({ v: secret }).toString().slice("v=".length);
  return [
    secret,
    url,
    form,
    // Percent signs are followed by digits of either case.
    ...[url, form].map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll("/", String.raw`\/`),
    // As writers do that keep to ASCII.
    json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ...base64Of(secret),
  ];
}

/**
 * A text in Base64, as a whole and as a part of something longer: three bytes make four characters, so a part looks in one of three
 * ways, without what it shares with its neighbours.
 */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = bytes.toString("base64");
  const parts = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const end = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(before === 0 ? 0 : before + 1, end);
  });
  const all = [whole, whole.replace(/=+$/, ""), ...parts.filter((part) => part.length >= shortestPart)];
  return all.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(text)]);
}
