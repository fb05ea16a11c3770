/** The text that replaces a secret. */
const replacement = "[secret]";

/** Shortest part of a Base64 text that is replaced, in characters. Shorter parts occur in other text by chance. */
const minBase64PartLength = 8;

/**
 * Creates a function that removes secrets from the service's text. It finds them unencoded and encoded: as URL, form, JSON or
 * Base64, including within a longer Base64 text.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf));
  // The longest form comes first, so that no part of a longer secret remains.
  const wanted = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => wanted.reduce((clean, form) => clean.replaceAll(form, replacement), text);
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams({ v: secret }).toString().slice("v=".length);
  return [
    secret,
    url,
    form,
    // Percent-encoding may use digits of either case.
    ...[url, form].map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll("/", String.raw`\/`),
    // JSON writers that restrict their output to ASCII use this form.
    json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ...base64Of(secret),
  ];
}

/**
 * Returns the Base64 forms of a text, by itself and within a longer text. Three bytes become four characters. So within a
 * longer text, a secret has one of three forms, without the characters that depend on its neighbors.
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
  const all = [whole, whole.replace(/=+$/, ""), ...parts.filter((part) => part.length >= minBase64PartLength)];
  return all.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(text)]);
}
