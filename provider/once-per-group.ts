import type { Session } from "./session";

/** Returns a function that creates a value only once for each session and account group. */
export function oncePerGroup<V extends object>(
  make: (session: Session, accountGroupId: string | undefined) => V,
): (session: Session, accountGroupId: string | undefined) => V {
  const shared = new WeakMap<Session, Map<string | undefined, V>>();
  return (session, accountGroupId) => {
    const ofSession = shared.get(session) ?? new Map<string | undefined, V>();
    shared.set(session, ofSession);
    const value = ofSession.get(accountGroupId) ?? make(session, accountGroupId);
    ofSession.set(accountGroupId, value);
    return value;
  };
}
