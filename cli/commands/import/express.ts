import { check, defaultsOf, withoutDefaults } from "../../../provider/check";
import { compare, listOf } from "../../../provider/compare";
import type { ReadResource } from "../../../provider/handler";
import type { CheckFailure, Kind } from "../../../provider/kind";
import type { Property } from "../../../provider/property";
import { unmanagedFields } from "../../../provider/state";
import { type Properties, compact, sameValue, unknownValue } from "../../../provider/values";

/** The account group of resources that name none. */
export interface DefaultAccountGroup {
  /** The account group of the settings, which check fills in. */
  settled: string | undefined;
  /** The account group of such a resource: that of the settings, else the token's. */
  accountGroupId: string | undefined;
}

/** A record as a program declares it, and as the state holds it after the import. */
export interface Expressed {
  /** The arguments in the program, without defaults and values that the service never returns. */
  declared: Properties;
  /** The result of check for these arguments. */
  inputs: Properties;
  outputs: Properties;
  /** Properties whose values the service has and no declaration can express: left to the service. */
  left: CheckFailure[];
}

export interface Inexpressible {
  failures: CheckFailure[];
}

/**
 * Expresses a record in a program: with all values but defaults, so that drift of each is seen.
 *
 * @param secrets known values of properties that are never returned
 */
export function express(
  kind: Kind,
  record: ReadResource,
  home: DefaultAccountGroup,
  secrets: Properties = {},
): Expressed | Inexpressible {
  const { failures, inputs, declared, left } = checkedWithoutLeft(
    kind,
    { ...declarable(kind, record, home), ...secrets },
    home,
  );
  if (failures.length > 0) return { failures };
  const outputs = compact({
    // An answer may leave out properties that have their default.
    ...withoutProperties(defaultsOf(kind), [...kind.writeOnly, ...kind.providerOptions]),
    ...record.state,
    ...secrets,
    unknownFields: orAbsent(listOf(record.state["unknownFields"]).filter((property) => secrets[property] === undefined)),
    unmanagedFields: orAbsent(unmanagedFields(kind, inputs)),
  });
  // The engine imports it as unchanged.
  const changes = compare(kind, outputs, inputs);
  if (changes.length === 0) return { declared, inputs, outputs, left };
  return {
    failures: changes.map(({ property }) => ({ path: property, reason: "holds what no declaration of it gives back" })),
  };
}

/**
 * Finds the secret properties that are never returned and that this record may have, judged by its other properties: a test
 * without authentication has no password.
 */
export function secretsAskedFor(kind: Kind, record: ReadResource, home: DefaultAccountGroup): string[] {
  const { declared, failures } = checkedWithoutLeft(kind, declarable(kind, record, home), home);
  if (failures.length > 0) return [];
  return kind.secrets.filter((property) => {
    if (!kind.writeOnly.some((writeOnly) => writeOnly === property) || record.state[property] !== undefined) return false;
    return check(kind, { ...declared, [property]: unknownValue }, settledOf(home)).failures.length === 0;
  });
}

/** The arguments for a record, before check: without defaults, and without values that the service chooses by itself. */
function declarable(kind: Kind, record: ReadResource, home: DefaultAccountGroup): Properties {
  const properties: Readonly<Record<string, Property>> = kind.properties;
  const plain = Object.entries(record.inputs).map(([name, value]) => [name, properties[name]?.normalize?.(value) ?? value]);
  const declared = withoutDefaults(kind, Object.fromEntries(plain) as Properties);
  const chosen = Object.entries(properties).flatMap(([name, { serviceChoice }]) =>
    serviceChoice !== undefined && sameValue(declared[name], serviceChoice) ? [name] : [],
  );
  return withoutProperties(declared, isAtHome(kind, declared, home) ? [...chosen, "accountGroupId"] : chosen);
}

/**
 * Whether a resource without an account group would be in the group of this one, and stay there. A resource that can move may be in
 * any group.
 */
function isAtHome(kind: Kind, { accountGroupId }: Properties, home: DefaultAccountGroup): boolean {
  if (accountGroupId !== home.accountGroupId) return false;
  const isFilledIn = home.settled !== undefined && kind.takesDefaultAccountGroup !== false;
  return isFilledIn || kind.createOnly.some((property) => property === "accountGroupId");
}

/** Checks a declaration. A value that fails is left out if its property can be left to the service. */
function checkedWithoutLeft(kind: Kind, properties: Properties, home: DefaultAccountGroup) {
  const first = check(kind, properties, settledOf(home));
  const left = first.failures.filter(({ path }) => kind.leftToService.some((property) => property === propertyOf(path)));
  const declared = withoutProperties(
    compact(properties),
    left.map(({ path }) => propertyOf(path)),
  );
  return { ...(left.length === 0 ? first : check(kind, declared, settledOf(home))), declared, left };
}

function settledOf(home: DefaultAccountGroup): Properties {
  return { accountGroupId: home.settled };
}

function withoutProperties(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

/** `filters` of `filters[0].values[1]`. */
function propertyOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

function orAbsent(list: string[]): string[] | undefined {
  return list.length > 0 ? list : undefined;
}
