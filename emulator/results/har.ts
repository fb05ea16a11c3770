import type { VisitPage, RecordedVisit, ResourceTiming } from "./visits";
import { visitDetail } from "./visit-records";

/** Returns a page load as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Unknown values are -1. */
export function harOf(visit: RecordedVisit, page: VisitPage): Record<string, unknown> {
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
      entries: [{ ...timing, name: url }, ...resources].map((resource) => entry(resource, id, started)),
      systemMetrics,
    },
  };
}

function entry(resource: ResourceTiming, pageref: string, started: number) {
  const url = URL.canParse(resource.name) ? new URL(resource.name) : undefined;
  return {
    pageref,
    startedDateTime: new Date(started + resource.startTime).toISOString(),
    time: Math.max(0, resource.responseEnd - resource.startTime),
    request: {
      method: "GET",
      url: resource.name,
      httpVersion: resource.nextHopProtocol ?? "",
      cookies: [],
      headers: [],
      queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: Math.round(resource.responseStatus),
      statusText: "",
      httpVersion: resource.nextHopProtocol ?? "",
      cookies: [],
      headers: [],
      content: { size: resource.decodedBodySize, mimeType: resource.contentType ?? "" },
      redirectURL: "",
      headersSize: -1,
      bodySize: resource.encodedBodySize,
    },
    cache: {},
    timings: {
      blocked: -1,
      dns: span(resource.domainLookupStart, resource.domainLookupEnd),
      connect: span(resource.connectStart, resource.connectEnd),
      ssl: resource.secureConnectionStart > 0 ? span(resource.secureConnectionStart, resource.connectEnd) : -1,
      send: -1,
      wait: Math.max(0, resource.responseStart - resource.requestStart),
      receive: Math.max(0, resource.responseEnd - resource.responseStart),
    },
  };
}

/** Returns the length of a phase, or -1 if the phase did not happen. */
function span(start: number, end: number): number {
  return end > start ? end - start : -1;
}
