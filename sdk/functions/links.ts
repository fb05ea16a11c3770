import type { Operation } from "../../api";

/** An operation with the path of a link, and the link's other parameters. */
interface Followed<O extends Operation> {
  target: O;
  query: Record<string, string>;
}

/**
 * Follows a record's link to an operation. It uses the first link to the service's own origin with a path that ends like the
 * operation's, in either spelling. Without such a link, the operation keeps the path of its contract.
 */
export function follow<O extends Operation>(operation: O, links: readonly string[], baseUrl: string): Followed<O> {
  const base = new URL(baseUrl);
  // The client adds this prefix to every path.
  const root = base.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
  for (const link of links) {
    const url = URL.parse(link, base.href);
    // The token must not go to another origin.
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

/** Matches the part of a path after the id of the record: `/pathvis`, and below it `/agent/{agentId}/round/{roundId}`. */
const tailOf = /^[^{]+\{\w+\}([^{]*?)((?:\/\w+\/\{\w+\})*)$/;
