import type { Settings, Wait } from "../api";
import { Session } from "../provider/session";
import { closeAtEnd, type Io, tellWait } from "./io";

/**
 * A session with the service for a command: an interrupt ends its requests, and when the command ends, no idle connection keeps
 * the process from ending.
 */
export function openSession(io: Io, settings: Settings): Session {
  const client = { ...settings.client, signal: io.signal, onWait: (wait: Wait) => tellWait(io, wait) };
  const session = new Session({ ...settings, client });
  closeAtEnd(io, () => session.client.close());
  return session;
}
