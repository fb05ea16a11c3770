import { check, defaultsOf, withoutDefaults } from "../../../provider/check";
import { compare, listOf } from "../../../provider/compare";
import type { ReadResource } from "../../../provider/handler";
import type { CheckFailure, Kind } from "../../../provider/kind";
import type { Property } from "../../../provider/property";
import { unmanagedFields } from "../../../provider/state";
import { type Properties, compact, sameValue, unknownValue } from "../../../provider/values";

export interface DefaultAccountGroup {
  /** The account group in the settings. `check` adds this account group to the inputs. */
  settled: string | undefined;
  /** The account group in the settings, or otherwise the token's default account group. */
  accountGroupId: string | undefined;
}

/** A record in two forms: as a declaration in the program, and as a resource in the state. */
export interface Expressed {
  /** The arguments in the program, without defaults and without values that the service never returns. */
  declared: Properties;
  /** The declared arguments after `check`, with defaults. */
  inputs: Properties;
  outputs: Properties;
  /** Properties that the program omits, because no program can declare their values. */
  left: CheckFailure[];
}

export interface Inexpressible {
  failures: CheckFailure[];
}

/**
 * Converts a record to a declaration. The declaration contains all values except defaults, so that `drift` can detect changes to all
 * values.
 *
 * @param secrets values of properties that the service never returns
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
    // The service's response may omit properties with default values.
    ...withoutProperties(defaultsOf(kind), [...kind.writeOnly, ...kind.providerOptions]),
    ...record.state,
    ...secrets,
    unknownFields: orAbsent(listOf(record.state["unknownFields"]).filter((property) => secrets[property] === undefined)),
    unmanagedFields: orAbsent(unmanagedFields(kind, inputs)),
  });
  // After the import, the engine must not find differences between the program and the state.
  const changes = compare(kind, outputs, inputs);
  if (changes.length === 0) return { declared, inputs, outputs, left };
  return {
    failures: changes.map(({ property }) => ({ path: property, reason: "has a value that no declaration can produce" })),
  };
}

/**
 * Returns the secrets that a record may have and that the service never returns. For example, a test without authentication does not have a
 * password.
 */
export function secretsAskedFor(kind: Kind, record: ReadResource, home: DefaultAccountGroup): string[] {
  const { declared, failures } = checkedWithoutLeft(kind, declarable(kind, record, home), home);
  if (failures.length > 0) return [];
  return kind.secrets.filter((property) => {
    if (!kind.writeOnly.some((writeOnly) => writeOnly === property) || record.state[property] !== undefined) return false;
    return check(kind, { ...declared, [property]: unknownValue }, settledOf(home)).failures.length === 0;
  });
}

/** Returns the arguments that declare a record, without defaults and without values that the service chooses. */
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
 * Whether a declaration without `accountGroupId` would create the record in its current account group. A resource that can move between
 * account groups needs an explicit `accountGroupId`.
 */
function isAtHome(kind: Kind, { accountGroupId }: Properties, home: DefaultAccountGroup): boolean {
  if (accountGroupId !== home.accountGroupId) return false;
  const isFilledIn = home.settled !== undefined && kind.takesDefaultAccountGroup !== false;
  return isFilledIn || kind.createOnly.some((property) => property === "accountGroupId");
}

/** Checks a declaration. If the service can choose the value of a property, the function omits an invalid value. */
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

/** Returns the first property in a path, such as `filters` for `filters[0].values[1]`. */
function propertyOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

function orAbsent(list: string[]): string[] | undefined {
  return list.length > 0 ? list : undefined;
}
