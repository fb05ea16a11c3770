const replacement = "[secret]";

/** Minimum length of a Base64 fragment to remove, in characters. Very short fragments often match unrelated text. */
const minBase64PartLength = 8;

/** Returns a function that removes secrets from text. The function also finds secrets in URL, form, JSON or Base64 encoding. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf));
  // The longest text is replaced first, so that no part of a longer secret remains.
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
    // Percent-encoding may use upper-case or lower-case hexadecimal digits.
    ...[url, form].map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll("/", String.raw`\/`),
    // Some JSON writers produce only ASCII and escape all other characters.
    json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ...base64Of(secret),
  ];
}

/**
 * Returns the Base64 encodings of a secret that is encoded separately or within a longer string. Within a longer string, the encoding
 * depends on the secret's position, because Base64 encodes groups of three bytes. The function omits Base64 characters that depend on the
 * neighboring text.
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
