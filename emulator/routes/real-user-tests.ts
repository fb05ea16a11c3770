import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { Problem } from "../problem";
import { type MatchedResults, matching } from "../results/asked";
import { harOf } from "../results/har";
import { orderBy } from "../results/search";
import { pageResult, visitDetail, visitMatches, visitNetwork, visitRecord } from "../results/visit-records";
import { visitOf, visitsOf } from "../results/visits";

const calls = operations.realUserResults;
const order = orderBy<{ sequence: number }>([], () => undefined);

export const realUserTestRoutes = [
  // The API has no operation that creates profiles, so the list is empty.
  handle(operations.realUserTests.list, () => ({ body: { realUserTests: [] } }), { mediaType: "application/json" }),
  handle(calls.filter, (call) => {
    const matches = visitMatches(call.body.searchFilters);
    const visits = matching(call, "visits", visitsOf(call.service, call.aid), { matches, order });
    const results = visits.page.map((visit) => ({ ...visitRecord(visit), pageId: visit.pages[0].pageId }));
    return { body: { results, ...rangeOf(visits) } };
  }),
  handle(calls.filterNetworks, (call) => {
    const matches = visitMatches(call.body.searchFilters);
    const visits = matching(call, "networks", visitsOf(call.service, call.aid), { matches, order });
    return { body: { results: visits.page.map(visitNetwork), ...rangeOf(visits) } };
  }),
  handle(calls.filterPages, (call) => {
    const pages = visitsOf(call.service, call.aid).flatMap((visit) =>
      visit.pages.map((page) => ({ visit, page, at: page.at, sequence: visit.sequence })),
    );
    const matches = visitMatches(call.body);
    const visited = matching(call, "pages", pages, { matches: ({ visit }) => matches(visit), order });
    return { body: { results: visited.page.map(({ visit, page }) => pageResult(visit, page)), ...rangeOf(visited) } };
  }),
  handle(calls.get, (call) => {
    const visit = visitOf(call.service, call.aid, call.path.id);
    return { body: { results: [visitDetail(visit)], _links: { self: { href: call.self } } } };
  }),
  handle(calls.getPage, (call) => {
    const visit = visitOf(call.service, call.aid, call.path.id);
    const page = visit.pages.find(({ pageId }) => pageId === call.path.pageId);
    if (!page) throw new Problem(404, "This real user test has no such page.");
    return { body: { har: harOf(visit, page), _links: { self: { href: call.self } } } };
  }),
];

function rangeOf({ startDate, endDate, next }: MatchedResults<unknown>) {
  return { startDate, endDate, _links: { ...(next !== undefined && { next: { href: next } }) } };
}
