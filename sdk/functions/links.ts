import type { Operation } from "../../api";

/** An operation with a link's path, and the link's query parameters. */
interface Followed<O extends Operation> {
  target: O;
  query: Record<string, string>;
}

/**
 * Returns the operation with the path of the first matching link. A link matches if it has the base URL's origin and its path
 * has the same ending as the operation's path or alias. If no link matches, the operation keeps its documented path.
 */
export function follow<O extends Operation>(operation: O, links: readonly string[], baseUrl: string): Followed<O> {
  const base = new URL(baseUrl);
  // The client adds the path of the base URL to every request, so `root` is removed from the link's path.
  const root = base.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
  for (const link of links) {
    const url = URL.parse(link, base.href);
    // The client must never send the token to another origin.
    if (url?.origin !== base.origin || !url.pathname.startsWith(`${root}/`)) continue;
    for (const spelling of [operation.path, operation.alias]) {
      const [, place = "", below = ""] = tailOf.exec(spelling ?? "") ?? [];
      if (place === "" || !url.pathname.endsWith(place)) continue;
      const path = url.pathname.slice(root.length) + below;
      return { target: { ...operation, path }, query: Object.fromEntries(url.searchParams) };
    }
  }
  return { target: operation, query: {} };
}

/**
 * Matches the part of an operation's path after the record's id, such as `/pathvis` with an optional
 * `/agent/{agentId}/round/{roundId}`.
 */
const tailOf = /^[^{]+\{\w+\}([^{]*?)((?:\/\w+\/\{\w+\})*)$/;
