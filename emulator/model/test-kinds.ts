import { agentToServerKind } from "./agent-to-server-test";
import { dynamicKind } from "./dynamic-test";
import { httpServerKind } from "./http-server-test";
import type { StoredTest, ModelTestKind } from "./tests";

/** A kind of test, whichever it is. */
export type AnyTestKind = ModelTestKind<StoredTest, { testId: string }>;

/** Every kind of test, a kind a line. */
export const testKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind, dynamicKind];

/** Those that run at an interval against one server, whatever the agent's user does. */
export const scheduledKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind];
