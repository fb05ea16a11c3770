import type { Finding, Level } from "../../../common/finding";
import { errorText } from "../../../common/phrase";
import { check, type CheckResult } from "../../../provider/check";
import { listOf } from "../../../provider/compare";
import { titleOf } from "../../../provider/identity";
import type { CheckFailure, Kind } from "../../../provider/kind";
import { type KindName, registry } from "../../../provider/registry";
import { received } from "../../../provider/received";
import { depthFailures } from "../../../provider/shape";
import { hasUnknown, isUnknown, stable, unknownValue } from "../../../provider/values";
import { kindNameOf } from "../../../engine/state";
import { type Position } from "../../../common/position";
import { compareText } from "../../../common/text";
import type { ValidatedResource } from "./monitor";

interface CheckedResource extends ValidatedResource, CheckResult {
  kindName: KindName;
  kind: Kind;
}

const duplicate = "has the name of another resource of its type: rename one of them";

/**
 * Finds mistakes in single resources of this package, and conflicts between resources.
 * @returns the findings, and the number of resources of this package
 */
export function findingsIn(
  declarations: readonly ValidatedResource[],
  accountGroupId: string | undefined,
): { findings: Finding[]; resources: number } {
  const checkedResources = declarations.flatMap((declaration) => checked(declaration, accountGroupId) ?? []);
  const byUrn = [...Map.groupBy(checkedResources, ({ urn }) => urn).values()];
  const duplicates = new Set(byUrn.flatMap((same) => same.toSorted(byPosition).slice(1)));
  const ownFindings = checkedResources.flatMap((checkedResource) => [
    ...(duplicates.has(checkedResource) ? [findingOf(checkedResource, { path: "", reason: duplicate })] : []),
    ...checkedResource.failures.map((failure) => findingOf(checkedResource, failure)),
    ...(checkedResource.advice ?? []).map((advice) => findingOf(checkedResource, advice, "note")),
  ]);
  const unique = checkedResources.filter((checkedResource) => !duplicates.has(checkedResource));
  // Several checks may find the same malformed id, but the report lists the id only once.
  const place = ({ subject, property }: Finding): string => JSON.stringify([subject?.noun, subject?.name, property]);
  const places = new Set(ownFindings.map(place));
  // The search for duplicates skips resources with an invalid name.
  const named = unique.filter(({ kind, failures }) => !failures.some(({ path }) => kind.identity.includes(path)));
  const between = [...repeatedAmong(named), ...namesAmong(unique)].filter((finding) => !places.has(place(finding)));
  return { findings: [...ownFindings, ...between], resources: checkedResources.length };
}

function checked(declaration: ValidatedResource, accountGroupId: string | undefined): CheckedResource | undefined {
  const kindName = kindNameOf(declaration.type);
  if (kindName === undefined) return undefined;
  const kind: Kind = registry[kindName];
  const { properties, deep } = received(declaration.properties, unknownValue);
  const result = check(kind, properties, { accountGroupId });
  return { ...declaration, ...result, failures: [...depthFailures(deep), ...result.failures], kindName, kind };
}

function findingOf({ kind, name, position }: CheckedResource, { path, reason }: CheckFailure, level: Level = "error"): Finding {
  const text = [errorText(`${kind.name} "${name}": ${path === "" ? "" : `${path} `}${reason}`)];
  const property = path === "" ? {} : { property: path };
  return { rule: "validate", level, subject: { noun: kind.name, name }, ...property, ...(position && { position }), text };
}

/** Finds resources that declare the same record, because an update would refuse to create duplicates. */
function repeatedAmong(resources: readonly CheckedResource[]): Finding[] {
  return [...Map.groupBy(resources, ({ kindName, inputs }) => `${kindName} ${stable(inputs)}`).values()].flatMap((same) => {
    const [first, ...others] = same;
    // Only resource types with user-created records can have duplicates. The check skips unknown values, because they may differ. The check
    // also skips resources with `adopt: true`, because an adoption creates no record.
    if (first?.kind.origin !== "made" || hasUnknown(first.inputs) || first.inputs["adopt"] === true) return [];
    const reason = `is identical to "${first.name}", but an update does not create duplicates`;
    return others.map((checkedResource) => findingOf(checkedResource, { path: "", reason }));
  });
}

/** Finds properties that contain a resource's name instead of the required id. */
function namesAmong(resources: readonly CheckedResource[]): Finding[] {
  const titles = new Map(
    resources.map(({ kind, kindName, inputs, name }) => [`${kindName} ${titleOf(kind, inputs) ?? ""}`, name]),
  );
  return resources.flatMap((checkedResource) =>
    Object.entries(checkedResource.kind.refersTo).flatMap(([property, target]) =>
      listOf(checkedResource.inputs[property]).flatMap((id, at) => {
        const resourceName = isUnknown(id) ? undefined : titles.get(`${target} ${id}`);
        const path = Array.isArray(checkedResource.inputs[property]) ? `${property}[${at}]` : property;
        return resourceName === undefined
          ? []
          : [findingOf(checkedResource, { path, reason: `is the name of "${resourceName}": use its id` })];
      }),
    ),
  );
}

/** Sorts findings by their position in the program, because programs may register resources in a different order in each run. */
export function byPosition({ position: a }: { position?: Position }, { position: b }: { position?: Position }): number {
  return compareText(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
