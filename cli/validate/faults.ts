import { check } from "../../provider/check";
import type { CheckFailure, Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { received } from "../../provider/received";
import { depthFailures } from "../../provider/shape";
import { unknownValue } from "../../provider/values";
import { kindNameOf, type Position } from "../engine/state";
import { compareText } from "../report/text";
import type { Declaration } from "./monitor";

/** One thing that is wrong. */
export interface Fault {
  readonly position?: Position;
  /** Class of the resource. */
  readonly resource: string;
  /** Its name in the program. */
  readonly name: string;
  /** Path of the property, such as `filters[0].key`; empty for the resource as a whole. */
  readonly path: string;
  readonly reason: string;
}

const duplicate: CheckFailure = {
  path: "",
  reason: "has the name of another resource of its type: rename one of them",
};

/** Everything that is wrong with a declaration: what the provider's check would report, had the engine got that far. */
export function faultsOf(
  { type, name, properties, position }: Declaration,
  isDuplicate: boolean,
  accountGroupId: string | undefined,
): Fault[] {
  const kindName = kindNameOf(type);
  if (kindName === undefined) return [];
  const kind: Kind = registry[kindName];
  const { properties: rest, deep } = received(properties, unknownValue);
  const { failures } = check(kind, rest, { accountGroupId });
  const all = [...(isDuplicate ? [duplicate] : []), ...depthFailures(deep), ...failures];
  return all.map((failure) => ({ position, resource: kind.name, name, ...failure }));
}

/** Whether a declaration is of one of our resources. */
export function isOurs({ type }: Declaration): boolean {
  return kindNameOf(type) !== undefined;
}

/** Declarations of what another one declares, too, which comes before them in the program. */
export function duplicatesAmong(declarations: readonly Declaration[]): ReadonlySet<Declaration> {
  const groups = [...Map.groupBy(declarations, ({ urn }) => urn).values()];
  return new Set(groups.flatMap((group) => group.toSorted(byPosition).slice(1)));
}

/** The order of the program's text: registrations come in that in which inputs become known. */
export function byPosition({ position: a }: { position?: Position }, { position: b }: { position?: Position }): number {
  return compareText(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
