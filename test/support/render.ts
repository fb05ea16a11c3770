/** Markdown as HTML, the way GitHub reads it. The library is an ES module only. */
export async function rendered(markdown: string): Promise<string> {
  const { marked } = await import("marked");
  return marked.parse(markdown, { async: false, gfm: true });
}
