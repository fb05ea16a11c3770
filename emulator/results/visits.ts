import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { localAgent } from "../fleet/fleet";
import type { LoadMetrics } from "../measure/load";
import { networkProfile } from "../measure/machine";
import { schedulerOf } from "../measure/scheduler";
import { targetOf } from "../measure/targets";
import { Problem } from "../problem";
import type { ServiceData } from "../service";
import type { Collection } from "../store";
import type { Recorded } from "./asked";

const time = z.number().min(0).default(0);

/** A W3C Resource Timing entry as JSON. Times are in milliseconds since the page's time origin. */
const resource = z.object({
  name: z.string(),
  initiatorType: z.string().optional(),
  startTime: time,
  domainLookupStart: time,
  domainLookupEnd: time,
  connectStart: time,
  secureConnectionStart: time,
  connectEnd: time,
  requestStart: time,
  responseStart: time,
  responseEnd: time,
  duration: time,
  transferSize: time,
  encodedBodySize: time,
  decodedBodySize: time,
  responseStatus: time,
  contentType: z.string().optional(),
  nextHopProtocol: z.string().optional(),
});

export const pageLoad = z.object({
  url: z.url({ protocol: /^https?$/ }),
  title: z.string().optional(),
  userAgent: z.string().optional(),
  /**
   * The event that triggered the recording.
   *
   * @defaultValue `user`
   */
  trigger: z.enum(["auto", "user"]).default("user"),
  /**
   * Id of the visit that the page belongs to.
   *
   * @defaultValue a new visit
   */
  id: z.string().optional(),
  /** `performance.getEntriesByType("navigation")[0].toJSON()`. */
  timing: resource.partial({ name: true }).extend({ domContentLoadedEventEnd: time, loadEventEnd: time }),
  /** `performance.getEntriesByType("resource").map((one) => one.toJSON())`. */
  resources: z.array(resource).default([]),
});

export type PageLoad = z.output<typeof pageLoad>;
export type ResourceTiming = z.output<typeof resource>;

export interface VisitPage extends Omit<PageLoad, "id"> {
  readonly pageId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly systemMetrics?: LoadMetrics;
}

/** A visit to one site. The service calls such a visit a real user test. */
export interface Visit {
  readonly agentId: string;
  readonly at: number;
  readonly pages: readonly [VisitPage, ...VisitPage[]];
  readonly networkProfile?: ReturnType<typeof networkProfile>;
}

export interface RecordedVisit extends Visit, Recorded {
  readonly id: string;
}

const visits: Collection<Visit> = { name: "real-user-tests", series: "real-user-tests", firstId: 1 };

/** Number of stored visits. The emulator deletes older visits. */
const kept = 1000;

/**
 * Stores the measurements of a browser on this machine.
 *
 * @throws Problem 404 for an unknown visit, or if this machine has no agent
 */
export function recordPage(service: ServiceData, { id, ...load }: PageLoad): { id: string; pageId: string } {
  const { store, settings } = service;
  const at = settings.now();
  const pageId = randomUUID().slice(0, 8);
  const page: VisitPage = { ...load, pageId, at, systemMetrics: schedulerOf(service)?.meter.read() };
  if (id !== undefined) {
    const visit = store.get(visits, id);
    if (!visit) throw new Problem(404, `No real user test ${id}`);
    store.replace(visits, id, { ...visit.body, pages: [...visit.body.pages, page] });
    return { id, pageId };
  }
  const agent = localAgent(service);
  if (!agent || agent.body.deleted)
    throw new Problem(404, "This machine has no agent: the emulator runs without agents, or the agent was deleted.");
  const { host } = targetOf(new URL(load.url));
  const visit: Visit = {
    agentId: agent.id,
    at,
    pages: [page],
    networkProfile: networkProfile(host === "localhost" ? "127.0.0.1" : isIP(host) ? host : undefined),
  };
  const made = store.insert(visits, agent.aid, () => visit);
  store.trim(visits, kept);
  return { id: made.id, pageId };
}

export function visitsOf({ store }: ServiceData, aid: string): RecordedVisit[] {
  return store.list(visits, aid).map(({ id, sequence, body }) => ({ ...body, id, sequence }));
}

/** @throws Problem 404 */
export function visitOf({ store }: ServiceData, aid: string, id: string): RecordedVisit {
  const row = store.get(visits, id, aid);
  if (!row) throw new Problem(404, "No such real user test in this account group.");
  return { ...row.body, id, sequence: row.sequence };
}
