import type { Settings } from "../api";
import { Session } from "../provider/session";
import { closeAtEnd, type Io, tellWait } from "./io";

/** A session with the service for a command: when that ends, no idle connection keeps the process from ending. */
export function openSession(io: Io, settings: Settings): Session {
  const session = new Session({ ...settings, client: { ...settings.client, onWait: (wait) => tellWait(io, wait) } });
  closeAtEnd(io, () => session.client.close());
  return session;
}
