// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks, SelfLinks } from "./common";
import type { SystemMetrics } from "./measurements";

/** A page that a user visited. */
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
    /** Milliseconds until the browser had loaded the page's content (as in HAR 1.2). */
    onContentLoad?: number;
    /** Milliseconds until the browser had loaded the whole page (as in HAR 1.2). */
    onLoad?: number;
  };
}

/** A visited page in a search result. */
export interface VisitedPageResult extends VisitedPage {
  /** Identifier of the visit that contains the page. */
  id: string;
  /** Identifier of the agent. */
  agentId?: string;
  /** Identifier of the visit's round: a time in seconds since 1970 (unit inferred). */
  roundId?: number;
  /** Response time of the page, in milliseconds (unit inferred). */
  responseTime?: number;
  /** Load of the device during the visit. */
  systemMetrics?: SystemMetrics;
}

/** Details of how the browser loaded a page. */
export interface VisitedPageDetail {
  /** The HTTP requests of the page, in HAR 1.2 format. */
  har: Record<string, unknown>;
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}

/** A page of search results with visited pages. */
export interface VisitedPagePage {
  /** Results on the page. */
  results: VisitedPageResult[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}
