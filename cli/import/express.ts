import { check, defaultsOf, withoutDefaults } from "../../provider/check";
import { compare, listOf } from "../../provider/compare";
import type { ReadResource } from "../../provider/handler";
import type { CheckFailure, Kind } from "../../provider/kind";
import type { Property } from "../../provider/property";
import { unmanagedFields } from "../../provider/state";
import { type Properties, compact, sameValue, unknownValue } from "../../provider/values";

/** The account group of resources that name none. */
export interface Home {
  /** The account group of the settings, which check fills in. */
  settled: string | undefined;
  /** The account group of such a resource: that of the settings, else the token's. */
  accountGroupId: string | undefined;
}

/** A record as a program declares it, and as the engine is to hold it. */
export interface Expressed {
  /** The arguments in the program, without defaults and values that the service never returns. */
  declared: Properties;
  /** The result of check for these arguments. */
  inputs: Properties;
  outputs: Properties;
  /** Properties whose values the service has and no declaration can express: left to the service. */
  left: CheckFailure[];
}

/** The reasons why no declaration can express a record. */
export interface Inexpressible {
  failures: CheckFailure[];
}

/**
 * Expresses a record in a program: its own values, without what equals a default. Everything else is declared, so that drift in
 * it is seen.
 *
 * @param secrets values of properties that are never returned, where they are known
 */
export function express(kind: Kind, found: ReadResource, home: Home, secrets: Properties = {}): Expressed | Inexpressible {
  const given = { ...declarable(kind, found, home), ...secrets };
  const checked = checkedWithoutLeft(kind, given, home);
  if (checked.failures.length > 0) return { failures: checked.failures };
  const { inputs, declared, left } = checked;
  const outputs = compact({
    ...silentDefaults(kind),
    ...found.state,
    ...secrets,
    unknownFields: orAbsent(listOf(found.state["unknownFields"]).filter((property) => secrets[property] === undefined)),
    unmanagedFields: orAbsent(unmanagedFields(kind, inputs)),
  });
  // The engine imports it as unchanged: so it has to be.
  const changes = compare(kind, outputs, inputs);
  if (changes.length === 0) return { declared, inputs, outputs, left };
  return {
    failures: changes.map(({ property }) => ({ path: property, reason: "holds what no declaration of it gives back" })),
  };
}

/**
 * Secret properties that are never returned and that this record may have, as far as the rest of it shows: a test without
 * authentication has no password.
 */
export function secretsAskedFor(kind: Kind, found: ReadResource, home: Home): string[] {
  const { declared, failures } = checkedWithoutLeft(kind, declarable(kind, found, home), home);
  if (failures.length > 0) return [];
  return kind.secrets.filter((property) => {
    if (!kind.writeOnly.some((one) => one === property) || found.state[property] !== undefined) return false;
    return check(kind, { ...declared, [property]: unknownValue }, settledOf(home)).failures.length === 0;
  });
}

/** The arguments for a record, before check. */
function declarable(kind: Kind, found: ReadResource, home: Home): Properties {
  const plain = Object.entries(found.inputs).map(([property, value]) => [
    property,
    kind.properties[property]?.normalize?.(value) ?? value,
  ]);
  const declared = withoutChoices(kind, withoutDefaults(kind, Object.fromEntries(plain) as Properties));
  return isAtHome(kind, declared, home) ? { ...declared, accountGroupId: undefined } : declared;
}

/** Leaves out values that the service chooses by itself. */
function withoutChoices(kind: Kind, declared: Properties): Properties {
  const chosen = Object.entries(kind.properties).flatMap(([property, { serviceChoice }]: [string, Property]) =>
    serviceChoice !== undefined && sameValue(declared[property], serviceChoice) ? [[property, undefined]] : [],
  );
  return { ...declared, ...Object.fromEntries(chosen) };
}

/**
 * Whether a resource that names no account group is where this one is, and stays there. One that can move and names no group is
 * wherever it is.
 */
function isAtHome(kind: Kind, { accountGroupId }: Properties, home: Home): boolean {
  if (accountGroupId !== home.accountGroupId) return false;
  const isFilledIn = home.settled !== undefined && kind.takesDefaultAccountGroup !== false;
  return isFilledIn || kind.createOnly.some((property) => property === "accountGroupId");
}

/** Checks a declaration. A value that fails is left out if its property can be left to the service. */
function checkedWithoutLeft(kind: Kind, given: Properties, home: Home) {
  const first = check(kind, given, settledOf(home));
  const left = first.failures.filter(({ path }) => kind.leftToService.some((property) => property === propertyOf(path)));
  if (left.length === 0) return { ...first, declared: compact(given), left };
  const declared = compact({ ...given, ...Object.fromEntries(left.map(({ path }) => [propertyOf(path), undefined])) });
  return { ...check(kind, declared, settledOf(home)), declared, left };
}

function settledOf(home: Home): Properties {
  return { accountGroupId: home.settled };
}

/** Defaults of the properties that an answer leaves out. */
function silentDefaults(kind: Kind): Properties {
  const hidden = new Set<string>([...kind.writeOnly, ...kind.providerOptions]);
  return Object.fromEntries(Object.entries(defaultsOf(kind)).filter(([property]) => !hidden.has(property)));
}

/** `filters` of `filters[0].values[1]`. */
function propertyOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

function orAbsent(list: string[]): string[] | undefined {
  return list.length > 0 ? list : undefined;
}
