import { agentToServerKind } from "./agent-to-server-tests";
import { dynamicKind } from "./dynamic-tests";
import { httpServerKind } from "./http-server-tests";
import type { StoredTest, TestKind } from "./tests";

/** A kind of test, whichever it is. */
export type AnyTestKind = TestKind<StoredTest, { testId: string }>;

/** Every kind of test, a kind a line. */
export const testKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind, dynamicKind];

/** Those that run at an interval against one server, whatever the agent's user does. */
export const scheduledKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind];
