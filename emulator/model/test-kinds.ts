import { agentToServerKind } from "./agent-to-server-test";
import { dynamicKind } from "./dynamic-test";
import { httpServerKind } from "./http-server-test";
import type { StoredTest, ModelTestKind } from "./tests";

export type AnyTestKind = ModelTestKind<StoredTest, { testId: string }>;

/** All types of tests, one per line. */
export const testKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind, dynamicKind];

/** Types of tests that run at an interval against one server, independent of the agent's user. */
export const scheduledKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind];
