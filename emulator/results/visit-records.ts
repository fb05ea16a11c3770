import { isIP } from "node:net";
import { platformHere } from "../measure/machine";
import { targetOf } from "../measure/targets";
import { date } from "../date";
import { type Attributes, matchesFilters } from "./search";
import type { VisitPage, RecordedVisit } from "./visits";

/** Returns a visit in the format used by the list of visits. The emulator does not know experience scores or the network of the site. */
export function visitRecord({ id, agentId, at, pages }: RecordedVisit) {
  const [first] = pages;
  const { host, port } = targetOf(new URL(first.url));
  return {
    id,
    agentId,
    date: date(at),
    committed: date(at),
    roundId: Math.floor(at / 1000),
    visitedSite: host,
    protocol: new URL(first.url).protocol.replace(":", ""),
    port,
    numberOfPages: pages.length,
  };
}

export function visitDetail(visit: RecordedVisit) {
  const [first] = visit.pages;
  return {
    ...visitRecord(visit),
    browser: browserOf(first.userAgent),
    pages: visit.pages.map(pageRecord),
    network: { networkProfile: visit.networkProfile, systemMetrics: first.systemMetrics, connectRtt: connectTime(first) },
  };
}

export function pageRecord({ pageId, title, url, at, timing }: VisitPage) {
  return {
    pageId,
    pageTitle: title,
    pageUrl: url,
    loadDate: date(at),
    // A status of 0 means that the browser did not report the status.
    ...(timing.responseStatus > 0 && { responseCode: Math.round(timing.responseStatus) }),
    pageTimings: { onContentLoad: Math.round(timing.domContentLoadedEventEnd), onLoad: Math.round(timing.loadEventEnd) },
  };
}

export function pageResult(visit: RecordedVisit, page: VisitPage) {
  return {
    ...pageRecord(page),
    id: visit.id,
    agentId: visit.agentId,
    roundId: Math.floor(visit.at / 1000),
    responseTime: Math.round(page.timing.responseStart),
    systemMetrics: page.systemMetrics,
  };
}

/** Returns the network measurements of a page, which contain only the time that the browser needed to connect. */
export function visitNetwork({ id, agentId, at, pages: [first] }: RecordedVisit) {
  const rtt = connectTime(first);
  return {
    id,
    agentId,
    date: date(at),
    roundId: Math.floor(at / 1000),
    destination: { target: targetOf(new URL(first.url)).host, ...(rtt !== undefined && { latency: Math.round(rtt) }) },
    systemMetrics: first.systemMetrics,
  };
}

export function visitMatches(filters: Readonly<Record<string, readonly string[] | undefined>> | undefined) {
  return (visit: RecordedVisit) => {
    const [first] = visit.pages;
    const { host } = targetOf(new URL(first.url));
    const { gateway, hardwareType } = visit.networkProfile ?? {};
    const attributes: Attributes = {
      agentId: [visit.agentId],
      platform: [platformHere()],
      connection: [hardwareType],
      gateway: [gateway],
      destinationIp: [isIP(host) === 0 ? undefined : host],
      visitedSite: [host],
      domain: domainsOf(host),
      trigger: [first.trigger],
    };
    return matchesFilters(filters, attributes);
  };
}

function domainsOf(host: string): string[] {
  const parts = host.split(".");
  return isIP(host) === 0 ? parts.map((_part, at) => parts.slice(at).join(".")) : [host];
}

/** Returns the duration of the TCP connection setup in milliseconds. For a reused connection, the result is undefined. */
function connectTime({ timing }: VisitPage): number | undefined {
  const end = timing.secureConnectionStart > 0 ? timing.secureConnectionStart : timing.connectEnd;
  return end > timing.connectStart ? end - timing.connectStart : undefined;
}

/**
 * Returns the name and the version of a browser. Specific browser names take precedence over names that every browser's user agent
 * contains.
 */
function browserOf(userAgent = ""): { name: string; version: string } | undefined {
  const names: readonly (readonly [pattern: RegExp, name: string])[] = [
    [/\bEdg\/([\d.]+)/, "Microsoft Edge"],
    [/\bFirefox\/([\d.]+)/, "Firefox"],
    [/\b(?:Headless)?Chrome\/([\d.]+)/, "Google Chrome"],
    [/\bVersion\/([\d.]+).*Safari/, "Safari"],
  ];
  for (const [pattern, name] of names) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { name, version };
  }
  return undefined;
}
