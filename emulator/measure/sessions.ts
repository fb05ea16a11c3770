import { z } from "zod";
import { dynamicKind } from "../model/dynamic-test";
import type { Service } from "../service";
import { type Collection, membersOf } from "../store";
import { Problem } from "../problem";
import { type Target, withoutBrackets } from "./targets";

/** A connection that an application on this machine opened and that a dynamic test measures. */
export const sessionRequest = z.strictObject({
  testId: z.string(),
  server: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
});
type BrowserSession = z.output<typeof sessionRequest>;

export const sessions: Collection<BrowserSession> = {
  name: "sessions",
  series: "sessions",
  firstId: 1,
  needs: membersOf<BrowserSession>({ testId: true, server: true, port: true }),
};

/**
 * Opens a session, so that the dynamic test measures its connection.
 *
 * The emulator cannot observe real applications, so a client reports their sessions.
 *
 * @throws Problem 404 if the dynamic test does not exist
 */
export function openSession({ store }: Pick<Service, "store">, session: BrowserSession): { id: string } {
  const test = store.get(dynamicKind.collection, session.testId);
  if (!test) throw new Problem(404, `No dynamic test ${session.testId}`);
  return { id: store.insert(sessions, test.aid, () => session).id };
}

/** @throws Problem 404 if the session does not exist */
export function closeSession({ store }: Pick<Service, "store">, id: string): void {
  const session = store.get(sessions, id);
  if (!session) throw new Problem(404, `No session ${id}`);
  store.delete(sessions, id, session.aid);
}

export function targetsOf({ store }: Pick<Service, "store">, testId: string, aid: string): Target[] {
  return store
    .list(sessions, aid)
    .filter(({ body }) => body.testId === testId)
    .map(({ body }) => ({ host: withoutBrackets(body.server), port: body.port }));
}
