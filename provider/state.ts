import { defaultsOf } from "./check";
import { listOf } from "./compare";
import type { Kind } from "./kind";
import type { RecordKind } from "./record-kind";
import { isReportedOnly } from "./reported-only";
import { asRequested, withLearned } from "./reshaped";
import { isSame } from "./shape";
import { type Properties, compact, normalText, unknownValue } from "./values";

export interface StateContext {
  /**
   * Values for properties that the service's response omits. A property that the response omits has not changed (docs/service/tests.md,
   * Requests and responses).
   */
  fallback: Properties;
  accountGroupId: string | undefined;
  unknownFields: string[];
  unmanagedFields: string[];
}

/** Returns the state of a record. In the state, write-only inputs keep the last applied values. */
export function stateOf(kind: RecordKind, record: object, context: StateContext): Properties {
  const answered = read(kind, record);
  const state: Properties = {};
  for (const property of Object.keys(kind.properties)) {
    if (!isProviderOption(kind, property))
      state[property] = inDeclaredForm(kind, property, answered[property], context.fallback[property]);
  }
  return compact({
    ...state,
    accountGroupId: answered["accountGroupId"] ?? context.accountGroupId ?? context.fallback["accountGroupId"],
    ...kind.outputsOf(record),
    unknownFields: orAbsent(context.unknownFields),
    unmanagedFields: orAbsent(context.unmanagedFields),
  });
}

/**
 * Returns the inputs that a record contains. An input is undefined if the service's response omits the input or contains null.
 */
export function inputsOfRecord(kind: Kind, record: object, names?: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(read(kind, record, names)).map(([name, value]) => [name, value ?? undefined]));
}

/**
 * Returns the inputs that a record contains. An input is undefined if the service's response omits the input, and null if the input has no
 * value.
 */
function read({ properties }: Kind, record: object, names: readonly string[] = Object.keys(properties)): Properties {
  const returned = names.flatMap((name) => {
    const property = properties[name];
    return property === undefined || property.writeOnly || property.role ? [] : [[name, property] as const];
  });
  return Object.fromEntries(
    returned.map(([name, { read: readFrom }]) => [
      name,
      compact(readFrom ? readFrom(record as never) : ((record as Properties)[name] ?? undefined)),
    ]),
  );
}

export function createdState(
  kind: RecordKind,
  record: object,
  { inputs, accountGroupId, adopted }: { inputs: Properties; accountGroupId: string | undefined; adopted: boolean },
): Properties {
  // If the response to a create request omits values, the sent values replace them. An adoption does not send values, so only write-only
  // properties come from the inputs.
  const sent = adopted ? pickWriteOnly(kind, inputs) : createBody(kind, inputs);
  const defaults = defaultsOf(kind);
  const start = Object.fromEntries(kind.updateOnly.map((property) => [property, defaults[property]]));
  return stateOf(kind, record, {
    accountGroupId,
    unknownFields: [],
    unmanagedFields: unmanagedFields(kind, inputs),
    fallback: { ...start, ...sent },
  });
}

export function withCreatedPairs(kind: Kind, state: Properties, inputs: Properties): Properties {
  return withLearned(kind, state, inputs, (property) => !kind.updateOnly.includes(property));
}

export function withUpdatedPairs(kind: Kind, state: Properties, inputs: Properties, properties: Properties): Properties {
  return withLearned(kind, state, inputs, (property) => !kind.createOnly.includes(property), properties);
}

export function pickWriteOnly(kind: Kind, inputs: Properties): Properties {
  return Object.fromEntries(kind.writeOnly.map((property) => [property, inputs[property]]));
}

/**
 * Returns the declared form of a value if the service only normalized the value. For example, `example.com` does not become
 * `https://example.com:443/`.
 */
export function inDeclaredForm(kind: Kind, property: string, returned: unknown, declared: unknown): unknown {
  if (returned === undefined) return declared;
  if (returned === null) return undefined;
  if (declared === undefined) return returned;
  return isSame(kind, property, returned, declared) || isNormalized(kind, property, returned, declared) ? declared : returned;
}

/**
 * Whether the service normalized the declared value. The service may trim text, compose characters, or reduce a number to its
 * limit.
 */
function isNormalized(kind: Kind, property: string, returned: unknown, declared: unknown): boolean {
  if (typeof returned === "string" && typeof declared === "string") return normalText(returned) === normalText(declared);
  const bounds = kind.properties[property]?.bounds ?? [];
  return typeof declared === "number" && bounds.some((bound) => returned === bound && declared > bound);
}

/** Returns the inputs in a state, without the properties that the program omits. */
export function inputsOf(kind: Kind, state: Properties): Properties {
  const hidden = new Set([...listOf(state["unmanagedFields"]), ...kind.providerOptions]);
  const properties = Object.keys(kind.properties).filter((property) => !hidden.has(property));
  return asRequested(kind, state, Object.fromEntries(properties.map((property) => [property, state[property]])));
}

/** Whether a state is empty or contains only an account group, as in a call of the function `get`. */
export function isBare(state: Properties): boolean {
  return Object.keys(state).every((property) => property === "accountGroupId");
}

/** Returns the properties that the program omits so that the service chooses their values. */
export function unmanagedFields(kind: Kind, inputs: Properties): string[] {
  return kind.leftToService.filter((property) => inputs[property] === undefined);
}

export function createBody(kind: Kind, inputs: Properties): Properties {
  return pick(kind, inputs, (property) => !kind.updateOnly.includes(property));
}

/**
 * Returns the body of an update request. The body contains every property that an update can set, because the service's documentation does
 * not describe the effect of omitted members.
 */
export function updateBody(kind: Kind, inputs: Properties): Properties {
  return pick(kind, inputs, (property) => !kind.createOnly.includes(property));
}

function pick(kind: Kind, inputs: Properties, wanted: (property: string) => boolean): Properties {
  // The body omits the account group, because the request contains it as a query parameter.
  const isSent = (property: string): boolean =>
    kind.properties[property]?.role === undefined && property !== "accountGroupId" && wanted(property);
  return compact(
    Object.fromEntries(
      Object.keys(kind.properties)
        .filter((property) => isSent(property) && !isReportedOnly(kind, property, inputs[property]))
        .map((property) => [property, inputs[property]]),
    ),
  );
}

/** Returns a list, or undefined for an empty list, because states omit empty lists. */
export function orAbsent(list: string[]): string[] | undefined {
  return list.length > 0 ? list : undefined;
}

function isProviderOption(kind: Kind, property: string): boolean {
  return kind.providerOptions.includes(property);
}

/**
 * Returns the outputs of a resource that a preview would create. Outputs with values that the service will choose are
 * unknown.
 */
export function createdPreview(kind: Kind, inputs: Properties): Properties {
  const unknown = Object.fromEntries(Object.keys(kind.outputSchema.shape).map((output) => [output, unknownValue]));
  return { ...unknown, ...leftToService(kind, inputs), ...declaredOutputs(kind, inputs) };
}

/**
 * Returns the outputs of a resource that a preview would update. The results of an action, such as a test run, are unknown in a preview.
 */
export function updatedPreview(kind: Kind, state: Properties, inputs: Properties): Properties {
  const results = kind.origin === undefined ? Object.keys(kind.outputSchema.shape).filter((output) => output in state) : [];
  const unknown = Object.fromEntries(results.map((output) => [output, unknownValue]));
  const kept = Object.entries(state).filter(([name]) => !(name in kind.properties) || kind.leftToService.includes(name));
  return { ...Object.fromEntries(kept), ...unknown, ...declaredOutputs(kind, inputs) };
}

function leftToService(kind: Kind, inputs: Properties): Properties {
  return Object.fromEntries(unmanagedFields(kind, inputs).map((property) => [property, unknownValue]));
}

function declaredOutputs(kind: Kind, inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !kind.providerOptions.includes(name)));
}
