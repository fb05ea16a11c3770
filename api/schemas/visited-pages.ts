import { z } from "zod";
import { identifier, selfLinks } from "./common";
import { systemMetrics } from "./measurements";
import { resultPage } from "./result-record";

/** A page that a user visited. */
export const visitedPage = z.looseObject({
  /** Identifier of the page. */
  pageId: identifier,
  /** Title of the page. */
  pageTitle: z.string().optional(),
  /** URL of the page. */
  pageUrl: z.string().optional(),
  /** Time of the page load (RFC 3339, UTC). */
  loadDate: z.string().optional(),
  /** HTTP status of the page. */
  responseCode: z.number().optional(),
  /** Load times of the page. */
  pageTimings: z
    .looseObject({
      /** Milliseconds until the browser had loaded the page's content (as in HAR 1.2). */
      onContentLoad: z.number().optional(),
      /** Milliseconds until the browser had loaded the whole page (as in HAR 1.2). */
      onLoad: z.number().optional(),
    })
    .optional(),
});

export type VisitedPage = z.output<typeof visitedPage>;

/** A visited page in a search result. */
export const visitedPageResult = visitedPage.extend({
  /** Identifier of the visit that contains the page. */
  id: identifier,
  /** Identifier of the agent. */
  agentId: identifier.optional(),
  /** Identifier of the visit's round: a time in seconds since 1970 (unit inferred). */
  roundId: z.number().optional(),
  /** Response time of the page, in milliseconds (unit inferred). */
  responseTime: z.number().optional(),
  /** Load of the device during the visit. */
  systemMetrics: systemMetrics.optional(),
});

export type VisitedPageResult = z.output<typeof visitedPageResult>;

/** Details of how the browser loaded a page. */
export const visitedPageDetail = z.looseObject({
  /** The HTTP requests of the page, in HAR 1.2 format. */
  har: z.record(z.string(), z.unknown()),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});

export type VisitedPageDetail = z.output<typeof visitedPageDetail>;

/** A page of search results with visited pages. */
export const visitedPagePage = z.looseObject({
  /** Results on the page. */
  results: z.array(visitedPageResult),
  ...resultPage,
});

export type VisitedPagePage = z.output<typeof visitedPagePage>;
