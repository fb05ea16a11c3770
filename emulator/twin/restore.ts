import type { AgentRecord, LabelRecord, TagRecord } from "../../api/schemas";
import { agents } from "../model/agents";
import { labels } from "../model/labels";
import { tags } from "../model/tags";
import { agentToServerKind } from "../model/agent-to-server-test";
import { dynamicKind } from "../model/dynamic-test";
import { httpServerKind } from "../model/http-server-test";
import type { AnyTestKind } from "../model/test-kinds";
import type { Service } from "../service";
import type { Collection, Store } from "../store";
import { restoredAgent, restoredLabel, restoredTag, restoredTest, type TestAnswer } from "./restored";

/** The records in an account group's list, or the reason why the service refused to return the list. */
export type CopiedList<R> = { readonly records: readonly R[] } | { readonly refused: string };

export interface CopiedLists {
  readonly agents: CopiedList<AgentRecord>;
  readonly labels: CopiedList<LabelRecord>;
  readonly tags: CopiedList<TagRecord>;
  readonly agentToServerTests: CopiedList<TestAnswer>;
  readonly httpServerTests: CopiedList<TestAnswer>;
  readonly dynamicTests: CopiedList<TestAnswer>;
}

const kindsOfTests: Record<"agentToServerTests" | "httpServerTests" | "dynamicTests", AnyTestKind> = {
  agentToServerTests: agentToServerKind,
  httpServerTests: httpServerKind,
  dynamicTests: dynamicKind,
};

/** Stores the records of an account group in the order of their creation, with their own ids. */
export function restore({ store }: Pick<Service, "store">, aid: string, lists: CopiedLists): void {
  store.together(() => {
    for (const record of recordsOf(lists.agents)) {
      const agent = restoredAgent(record, aid);
      store.put(agents, agent.id, agent.aid, agent.body);
    }
    for (const record of recordsOf(lists.labels)) store.put(labels, record.id, aid, restoredLabel(record));
    for (const record of recordsOf(lists.tags)) {
      const tag = restoredTag(record);
      if (tag) store.put(tags, record.id, aid, tag);
    }
    const tests = Object.entries(kindsOfTests).flatMap(([area, kind]) =>
      recordsOf(lists[area as keyof typeof kindsOfTests]).map((record) => ({
        kind,
        id: record.testId,
        body: restoredTest(kind, record),
      })),
    );
    // If an agent has capacity for only one of two tests, it runs the older test. To preserve the age of the tests, the function stores
    // tests of all types in the order of their creation.
    for (const { kind, id, body } of tests.toSorted((a, b) =>
      a.body.createdDate < b.body.createdDate ? -1 : Number(a.body.createdDate > b.body.createdDate),
    )) {
      store.put(kind.collection, id, aid, body);
      goOnBehind(store, kind.collection, Number(id));
    }
    for (const { id } of recordsOf(lists.labels)) goOnBehind(store, labels, Number(id));
    // The ids of new tags depend on the numbers (`legacyId`) of all tags. Most copied tags do not contain their number.
    for (const { legacyId = 0 } of recordsOf(lists.tags)) goOnBehind(store, tags, legacyId + maxTagsWithoutNumber);
  });
}

/**
 * Gap between the numbers of copied and new tags, because the numbers of copied tags may be unknown. The gap is larger than the number of
 * tags in any account.
 */
const maxTagsWithoutNumber = 100_000;

/** Ensures that new records do not get ids that copied records have or had. */
function goOnBehind(store: Store, collection: Collection<unknown>, number: number): void {
  if (Number.isSafeInteger(number)) store.goOnBehind(collection, Math.max(number, collection.firstId));
}

function recordsOf<R>(list: CopiedList<R>): readonly R[] {
  return "records" in list ? list.records : [];
}
