import type { Page, RecordedVisit, ResourceTiming } from "./visits";
import { visitDetail } from "./visit-records";

/** HAR 1.2 of a page load (http://www.softwareishard.com/blog/har-12-spec/): what browsers tell of it, and -1 for what they don't. */
export function harOf(visit: RecordedVisit, page: Page): Record<string, unknown> {
  const { url, title, timing, resources, at, systemMetrics } = page;
  const id = "page_1";
  const started = at - timing.loadEventEnd;
  return {
    log: {
      version: "1.2",
      creator: { name: "endpoint-monitoring emulator", version: "1" },
      browser: visitDetail(visit).browser,
      pages: [
        {
          id,
          title: title ?? url,
          startedDateTime: new Date(started).toISOString(),
          responseCode: Math.round(timing.responseStatus),
          pageTimings: { onContentLoad: timing.domContentLoadedEventEnd, onLoad: timing.loadEventEnd },
        },
      ],
      entries: [{ ...timing, name: url }, ...resources].map((one) => entry(one, id, started)),
      systemMetrics,
    },
  };
}

function entry(one: ResourceTiming, pageref: string, started: number) {
  const url = URL.canParse(one.name) ? new URL(one.name) : undefined;
  return {
    pageref,
    startedDateTime: new Date(started + one.startTime).toISOString(),
    time: Math.max(0, one.responseEnd - one.startTime),
    request: {
      method: "GET",
      url: one.name,
      httpVersion: one.nextHopProtocol ?? "",
      cookies: [],
      headers: [],
      queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: Math.round(one.responseStatus),
      statusText: "",
      httpVersion: one.nextHopProtocol ?? "",
      cookies: [],
      headers: [],
      content: { size: one.decodedBodySize, mimeType: one.contentType ?? "" },
      redirectURL: "",
      headersSize: -1,
      bodySize: one.encodedBodySize,
    },
    cache: {},
    timings: {
      blocked: -1,
      dns: span(one.domainLookupStart, one.domainLookupEnd),
      connect: span(one.connectStart, one.connectEnd),
      ssl: one.secureConnectionStart > 0 ? span(one.secureConnectionStart, one.connectEnd) : -1,
      send: -1,
      wait: Math.max(0, one.responseStart - one.requestStart),
      receive: Math.max(0, one.responseEnd - one.responseStart),
    },
  };
}

/** Length of a phase; -1 for one that there was not. */
function span(start: number, end: number): number {
  return end > start ? end - start : -1;
}
