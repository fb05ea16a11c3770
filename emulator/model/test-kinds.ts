import { agentToServerKind } from "./agent-to-server-test";
import { dynamicKind } from "./dynamic-test";
import { httpServerKind } from "./http-server-test";
import type { StoredTest, ModelTestKind } from "./tests";

export type AnyTestKind = ModelTestKind<StoredTest, { testId: string }>;

export const testKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind, dynamicKind];

/** Types of tests that measure a fixed server at regular intervals, independent of the user's activity. */
export const scheduledKinds: readonly AnyTestKind[] = [agentToServerKind, httpServerKind];
