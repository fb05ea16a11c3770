import type { Settings, Wait } from "../api";
import { Session } from "../provider/session";
import { closeAtEnd, type Io } from "./io";

/** Who is told of waits for the service, by what its command has of the process. */
const listeners = new WeakMap<Io, (wait: Wait) => void>();

/** Tells of every wait for the service that a command has from now on. */
export function onWait(io: Io, tell: (wait: Wait) => void): void {
  listeners.set(io, tell);
}

/** A session with the service for a command: when that ends, no idle connection keeps the process from ending. */
export function openSession(io: Io, settings: Settings): Session {
  const tell = (wait: Wait): void => listeners.get(io)?.(wait);
  const session = new Session({ ...settings, client: { ...settings.client, onWait: tell } });
  closeAtEnd(io, () => session.client.close());
  return session;
}
