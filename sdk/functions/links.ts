import type { Operation } from "../../api";

/** An operation, where a link has led to, and what else the link says. */
interface Followed<O extends Operation> {
  target: O;
  query: Record<string, string>;
}

/**
 * Follows the link of a record that leads to an operation: the first of the service's own origin whose path ends as that of the
 * operation does, in either of its spellings. Where there is none, the operation stays at the path of its contract.
 */
export function follow<O extends Operation>(operation: O, links: readonly string[], baseUrl: string): Followed<O> {
  const base = new URL(baseUrl);
  // The root that the client puts before every path.
  const root = base.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
  for (const link of links) {
    const url = URL.parse(link, base.href);
    // The token goes to no other origin.
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
