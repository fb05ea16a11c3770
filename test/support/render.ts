/** Returns Markdown as HTML, as GitHub renders it. The library is only available as an ES module. */
export async function rendered(markdown: string): Promise<string> {
  const { marked } = await import("marked");
  return marked.parse(markdown, { async: false, gfm: true });
}
