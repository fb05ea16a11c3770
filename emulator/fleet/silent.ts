/** Computes when agents check in, and which agents have lost their labels (docs/service/labels.md, Filters). */
import type { StoredAgent } from "../model/agents";
import type { Service } from "../service";
import type { StoreRow } from "../store";
import type { Fleet } from "./fleet";
import { date } from "../date";
import { thisMachineId } from "./make";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Milliseconds between consecutive check-ins of an active agent (docs/service/tests.md, Product limits). */
const checkInMs = 15 * minuteMs;

export function lastSeen(service: Pick<Service, "settings">, agent: StoreRow<StoredAgent>): string {
  return date(presenceOf(service, agent).seen);
}

interface Presence {
  readonly seen: number;
  readonly isAwake: boolean;
  readonly until: number;
}

/**
 * Returns an agent's last check-in. The agent of this machine never sleeps, and an agent that is switched off never checks in.
 *
 * With the option `nights`, laptops and desktops sleep at night in their time zone.
 */
function presenceOf({ settings }: Pick<Service, "settings">, { id, sequence, body }: StoreRow<StoredAgent>): Presence {
  const now = settings.now();
  if (body.silentSince !== undefined) return { seen: Date.parse(body.silentSince), isAwake: false, until: Infinity };
  if (id === thisMachineId) return { seen: now, isAwake: true, until: Infinity };
  const offset = (sequence * 7919 * 1000) % checkInMs;
  const checkInBefore = (moment: number): number => moment - ((((moment - offset) % checkInMs) + checkInMs) % checkInMs);
  if (!settings.nights || !sleepsAtNight(sequence, body)) return { seen: checkInBefore(now), isAwake: true, until: Infinity };
  // Agents fall asleep between 18:00 and 22:45, and wake up between 6:00 and 8:45.
  const toBed = 18 * hourMs + ((sequence * 7) % 20) * checkInMs;
  const wakesUp = 6 * hourMs + ((sequence * 5) % 12) * checkInMs;
  const clock = localTime(now, body);
  const midnight = now - clock;
  if (clock >= wakesUp && clock < toBed) {
    // An agent also checks in when it wakes up in the morning.
    return { seen: Math.max(checkInBefore(now), midnight + wakesUp), isAwake: true, until: midnight + toBed };
  }
  const [lastMidnight, nextMidnight] = clock < wakesUp ? [midnight - dayMs, midnight] : [midnight, midnight + dayMs];
  return { seen: checkInBefore(lastMidnight + toBed), isAwake: false, until: nextMidnight + wakesUp };
}

/** Returns the local time of an agent, in milliseconds since midnight. Each time zone covers 15 degrees of longitude. */
function localTime(now: number, { location }: StoredAgent): number {
  const local = now + Math.round((location.longitude ?? 0) / 15) * hourMs;
  return ((local % dayMs) + dayMs) % dayMs;
}

/** Whether a device sleeps at night. Room devices, phones, Linux machines and every eighth laptop or desktop stay on. */
function sleepsAtNight(sequence: number, { platform }: StoredAgent): boolean {
  return (platform === "windows" || platform === "mac") && sequence % 8 !== 0;
}

export class SilentAgents {
  #ids: ReadonlySet<string> = new Set();
  #fleet = -1;
  #from = Infinity;
  #until = -Infinity;
  #version = 0;

  /** A number that increases whenever the set of silent agents changes. */
  get version(): number {
    return this.#version;
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  of(service: Pick<Service, "settings">, fleet: Fleet): ReadonlySet<string> {
    const now = service.settings.now();
    if (fleet.version === this.#fleet && now >= this.#from && now < this.#until) return this.#ids;
    const presences = fleet.list().map((agent) => ({ id: agent.id, ...presenceOf(service, agent) }));
    // Agents do not check in to the twin (copy) of an account, so the latest copied check-in counts as the current time.
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
