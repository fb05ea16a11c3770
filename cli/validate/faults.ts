import { check } from "../../provider/check";
import { listOf } from "../../provider/compare";
import { titleOf } from "../../provider/identity";
import type { CheckFailure, Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { received } from "../../provider/received";
import { depthFailures } from "../../provider/shape";
import { hasUnknown, isUnknown, stable, unknownValue } from "../../provider/values";
import { kindNameOf, type Position } from "../engine/state";
import { compareText } from "../report/text";
import type { DeclaredResource } from "./monitor";

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
  /** Present if the service accepts it. */
  readonly isAdvice?: true;
}

const duplicate: CheckFailure = {
  path: "",
  reason: "has the name of another resource of its type: rename one of them",
};

/** Everything that is wrong with a declaration: what the provider's check would report, had the engine got that far. */
export function faultsOf(
  { type, name, properties, position }: DeclaredResource,
  isDuplicate: boolean,
  accountGroupId: string | undefined,
): Fault[] {
  const kindName = kindNameOf(type);
  if (kindName === undefined) return [];
  const kind: Kind = registry[kindName];
  const { properties: rest, deep } = received(properties, unknownValue);
  const { failures, advice = [] } = check(kind, rest, { accountGroupId });
  const all = [...(isDuplicate ? [duplicate] : []), ...depthFailures(deep), ...failures];
  return [
    ...all.map((failure) => ({ position, resource: kind.name, name, ...failure })),
    ...advice.map((one) => ({ position, resource: kind.name, name, ...one, isAdvice: true as const })),
  ];
}

/**
 * Everything that is wrong between declarations: a record that another one repeats, which an update refuses to create, and the name of a
 * resource where its id belongs.
 */
export function faultsBetween(declarations: readonly DeclaredResource[], accountGroupId: string | undefined): Fault[] {
  const all = declarations.flatMap((declaration) => {
    const kindName = kindNameOf(declaration.type);
    if (kindName === undefined) return [];
    const kind: Kind = registry[kindName];
    const { inputs } = check(kind, received(declaration.properties, unknownValue).properties, { accountGroupId });
    return [{ declaration, kind, kindName, inputs }];
  });
  const faultOf = ({ declaration, kind }: (typeof all)[number], path: string, reason: string): Fault => ({
    position: declaration.position,
    resource: kind.name,
    name: declaration.name,
    path,
    reason,
  });
  const repeated = [...Map.groupBy(all, ({ kindName, inputs }) => `${kindName} ${stable(inputs)}`).values()].flatMap((same) => {
    const [first, ...others] = same;
    // Only records that people make can be repeated. What is not known yet may differ, and an adopted record is not created.
    if (first?.kind.origin !== "made" || hasUnknown(first.inputs) || first.inputs["adopt"] === true) return [];
    return others.map((one) =>
      faultOf(one, "", `is identical to "${first.declaration.name}", and an update creates no duplicates`),
    );
  });
  const titles = new Map(
    all.map(({ kind, kindName, inputs, declaration }) => [`${kindName} ${titleOf(kind, inputs) ?? ""}`, declaration.name]),
  );
  const named = all.flatMap((one) =>
    Object.entries(one.kind.refersTo).flatMap(([property, target]) =>
      listOf(one.inputs[property]).flatMap((id, at) => {
        const other = isUnknown(id) ? undefined : titles.get(`${target} ${id}`);
        const path = Array.isArray(one.inputs[property]) ? `${property}[${at}]` : property;
        return other === undefined ? [] : [faultOf(one, path, `is the name of "${other}": use its id`)];
      }),
    ),
  );
  return [...repeated, ...named];
}

/** Whether a declaration is of one of our resources. */
export function isOurs({ type }: DeclaredResource): boolean {
  return kindNameOf(type) !== undefined;
}

/** Declarations of what another one declares, too, which comes before them in the program. */
export function duplicatesAmong(declarations: readonly DeclaredResource[]): ReadonlySet<DeclaredResource> {
  const groups = [...Map.groupBy(declarations, ({ urn }) => urn).values()];
  return new Set(groups.flatMap((group) => group.toSorted(byPosition).slice(1)));
}

/** The order of the program's text: registrations come in that in which inputs become known. */
export function byPosition({ position: a }: { position?: Position }, { position: b }: { position?: Position }): number {
  return compareText(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
