import { titleOf } from "../../provider/identity";
import { records } from "../../provider/registry";
import { isEqualCandidate } from "../adoption";
import type { Step } from "../model";
import type { ServiceView } from "../service";
import { phrase, strong, words } from "../../common/phrase";
import { findingOn, named, subjectOf } from "./findings";
import type { Finding } from "../../common/finding";
import type { CheckName } from "./checks";

const keptOps = new Set(["same", "update", "adopt"]);

export function ofDoubles(planned: readonly Step[], { holdings, defaultAccountGroupId }: ServiceView): Finding<CheckName>[] {
  const keyOf = (kind: object, group: unknown, title: string | undefined): string =>
    JSON.stringify([Object.values(records).indexOf(kind as never), group, title]);
  const listed = Map.groupBy(holdings.records, ({ kind, accountGroupId, state }) =>
    keyOf(kind, accountGroupId, titleOf(kind, state)),
  );
  const managed = new Set(planned.flatMap(({ kindName, state }) => (state ? [`${kindName} ${state.id}`] : [])));
  return planned.flatMap((step): Finding<CheckName>[] => {
    const { kind, kindName, state, op } = step;
    if (!state || !keptOps.has(op) || !Object.hasOwn(records, kindName)) return [];
    const group = state.outputs["accountGroupId"] ?? defaultAccountGroupId;
    const namesakes = listed.get(keyOf(kind, group, titleOf(kind, state.inputs))) ?? [];
    if (!namesakes.some(({ id }) => id === state.id)) return [];
    const doubles = namesakes.filter(
      (record) =>
        !managed.has(`${kindName} ${record.id}`) &&
        isEqualCandidate(records[kindName as keyof typeof records], record, state.inputs),
    );
    if (doubles.length === 0) return [];
    const ids = words(doubles.map(({ id }) => id));
    const subject = subjectOf(step);
    const text = phrase`${named(subject)} (id ${state.id}) has ${strong("a duplicate")} in the service, which another stack or a user created: ${ids}`;
    return [findingOn(subject, "doubled", text)];
  });
}
