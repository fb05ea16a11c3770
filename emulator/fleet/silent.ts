/** When agents check in, and which of them have lost their labels (docs/service/labels.md, Filters). */
import type { StoredAgent } from "../model/agents";
import type { Service } from "../service";
import type { StoreRow } from "../store";
import type { Fleet } from "./fleet";
import { date } from "../date";
import { thisMachineId } from "./make";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** How often an agent that is on checks in (docs/service/tests.md, Product limits). */
const checkInMs = 15 * minuteMs;

/** Time of an agent's last check-in. */
export function lastSeen(service: Pick<Service, "settings">, agent: StoreRow<StoredAgent>): string {
  return date(presenceOf(service, agent).seen);
}

/** The last check-in of an agent, and the moment when it wakes up or goes to sleep, in milliseconds since 1970. */
interface Presence {
  readonly seen: number;
  readonly isAwake: boolean;
  readonly until: number;
}

/**
 * This machine's agent is always there. An agent that is switched off stays silent. The others check in at moments of their own, but for
 * laptops and desktops that sleep at night, by the time of their place, if the emulator has nights.
 */
function presenceOf({ settings }: Pick<Service, "settings">, { id, sequence, body }: StoreRow<StoredAgent>): Presence {
  const now = settings.now();
  if (body.silentSince !== undefined) return { seen: Date.parse(body.silentSince), isAwake: false, until: Infinity };
  if (id === thisMachineId) return { seen: now, isAwake: true, until: Infinity };
  const offset = (sequence * 7919 * 1000) % checkInMs;
  const checkInBefore = (moment: number): number => moment - ((((moment - offset) % checkInMs) + checkInMs) % checkInMs);
  if (!settings.nights || !sleepsAtNight(sequence, body)) return { seen: checkInBefore(now), isAwake: true, until: Infinity };
  // From 18:00 to 22:45 in the evening, and from 6:00 to 8:45 in the morning.
  const toBed = 18 * hourMs + ((sequence * 7) % 20) * checkInMs;
  const wakesUp = 6 * hourMs + ((sequence * 5) % 12) * checkInMs;
  const clock = localTime(now, body);
  const midnight = now - clock;
  if (clock >= wakesUp && clock < toBed) {
    // It also checks in when it wakes up.
    return { seen: Math.max(checkInBefore(now), midnight + wakesUp), isAwake: true, until: midnight + toBed };
  }
  const [lastMidnight, nextMidnight] = clock < wakesUp ? [midnight - dayMs, midnight] : [midnight, midnight + dayMs];
  return { seen: checkInBefore(lastMidnight + toBed), isAwake: false, until: nextMidnight + wakesUp };
}

/** Milliseconds since midnight at the place of an agent: an hour for 15 degrees of longitude. */
function localTime(now: number, { location }: StoredAgent): number {
  const local = now + Math.round((location.longitude ?? 0) / 15) * hourMs;
  return ((local % dayMs) + dayMs) % dayMs;
}

/** Room devices, phones and Linux machines stay on, and so does one of eight of the others. */
function sleepsAtNight(sequence: number, { platform }: StoredAgent): boolean {
  return (platform === "windows" || platform === "mac") && sequence % 8 !== 0;
}

/** The agents of a store that are silent for more than an hour. */
export class SilentAgents {
  #ids: ReadonlySet<string> = new Set();
  /** State of the fleet, and the time in which nobody falls silent or comes back. */
  #fleet = -1;
  #from = Infinity;
  #until = -Infinity;
  #version = 0;

  /** Grows when another agent is silent. */
  get version(): number {
    return this.#version;
  }

  /** As of the last {@link of}. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  of(service: Pick<Service, "settings">, fleet: Fleet): ReadonlySet<string> {
    const now = service.settings.now();
    if (fleet.version === this.#fleet && now >= this.#from && now < this.#until) return this.#ids;
    const presences = fleet.list().map((agent) => ({ id: agent.id, ...presenceOf(service, agent) }));
    // Nobody checks in to a twin: its agents are as they were when they were copied.
    const asOf = service.settings.twin ? presences.reduce((latest, { seen }) => Math.max(latest, seen), 0) : now;
    const ids = new Set<string>();
    let until = Infinity;
    for (const { id, seen, isAwake, until: wakesUp } of presences) {
      const silentFrom = seen + hourMs + 1;
      if (asOf >= silentFrom) ids.add(id);
      until = Math.min(until, isAwake || asOf >= silentFrom ? wakesUp : silentFrom);
    }
    const isSame = ids.size === this.#ids.size && [...ids].every((id) => this.#ids.has(id));
    if (!isSame) this.#version += 1;
    [this.#ids, this.#fleet, this.#from, this.#until] = [ids, fleet.version, now, until];
    return ids;
  }
}
