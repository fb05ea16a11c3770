// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";
import type { SystemMetrics } from "./measurements";

/** A page of a visit. */
export interface VisitedPage {
  /** Identifier of the page. */
  pageId: string;
  /** Title of the page. */
  pageTitle?: string;
  /** URL of the page. */
  pageUrl?: string;
  /** Time of the page load (RFC 3339, UTC). */
  loadDate?: string;
  /** HTTP status of the page. */
  responseCode?: number;
  /** Load times of the page. */
  pageTimings?: {
    /** Time until the content was loaded, in milliseconds (as in HAR 1.2). */
    onContentLoad?: number;
    /** Time until the page was loaded, in milliseconds (as in HAR 1.2). */
    onLoad?: number;
  };
}

/** A page of a visit in a search result. */
export interface VisitedPageResult extends VisitedPage {
  /** Identifier of the visit that the page belongs to. */
  id: string;
  /** Identifier of the agent. */
  agentId?: string;
  /** Round of the visit, in seconds since 1970 (inferred). */
  roundId?: number;
  /** Time until the page answered, in milliseconds (inferred). */
  responseTime?: number;
  /** Load of the device during the visit. */
  systemMetrics?: SystemMetrics;
}

/** The details of how a page loaded. */
export interface VisitedPageDetail {
  /** The requests of the page, as a HAR 1.2 object. */
  har: Record<string, unknown>;
  /** Links of the record. */
  _links?: SelfLinks;
}

/** A page of visited pages. */
export interface VisitedPagePage {
  /** The rows of the page. */
  results: VisitedPageResult[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
}
