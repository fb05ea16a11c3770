/** Longest text of an error. gRPC carries it in headers, twice, and some clients take 64 KiB of them at most. */
const maxBytes = 4_000;

/** Returns a text, or its beginning if it is longer than an error should be. */
export function portableText(text: string, most = maxBytes): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, most), { stream: true })}… (${bytes.length} bytes)`;
}

/** The same for several texts of one error. */
export function portableTexts(texts: readonly string[]): string[] {
  return texts.map((text) => portableText(text, Math.floor(maxBytes / texts.length)));
}
