import { defaultsOf } from "./check";
import { listOf } from "./compare";
import type { Kind } from "./kind";
import type { RecordKind } from "./record-kind";
import { isReportedOnly } from "./reported-only";
import { isSame } from "./shape";
import { type Properties, compact } from "./values";

/** What a state is made with, beside the fresh answer. */
export interface Known {
  /**
   * Values for members that the answer leaves out: answers promise almost nothing (shared/api/README.md, Requests and responses
   * differ in shape), and what was not said has not changed.
   */
  fallback: Properties;
  /** Account group the request worked in. */
  aid: string | undefined;
  unknownFields: string[];
  unmanagedFields: string[];
}

/** The state of a record: its inputs as the service holds them, write-only ones as last applied, and its outputs. */
export function stateOf(kind: RecordKind, record: object, known: Known): Properties {
  const answered = compact(inputsOfRecord(kind, record));
  const state: Properties = {};
  for (const property of Object.keys(kind.properties)) {
    if (!isProviderOption(kind, property))
      state[property] = inKnownForm(kind, property, answered[property], known.fallback[property]);
  }
  return compact({
    ...state,
    accountGroupId: answered["accountGroupId"] ?? known.aid ?? known.fallback["accountGroupId"],
    ...kind.outputsOf(record),
    unknownFields: orAbsent(known.unknownFields),
    unmanagedFields: orAbsent(known.unmanagedFields),
  });
}

/** A record in the shape of the inputs. Members that the answer leaves out are undefined. */
export function inputsOfRecord({ properties }: Kind, record: object): Properties {
  const members: Properties = { ...record };
  const returned = Object.entries(properties).filter(([, { writeOnly, role }]) => !writeOnly && !role);
  // A kind's `read` takes what the requests of that kind answer.
  return Object.fromEntries(returned.map(([name, { read }]) => [name, read ? read(record as never) : members[name]]));
}

/** The state of a record that a create has made or adopted. */
export function createdState(
  kind: RecordKind,
  record: object,
  { inputs, aid, adopted }: { inputs: Properties; aid: string | undefined; adopted: boolean },
): Properties {
  // What was sent and not said back was stored; update-only properties start at their defaults. An adopted record was not
  // sent anything, so nothing but its never-returned properties is taken as given.
  const sent = adopted ? pickWriteOnly(kind, inputs) : createBody(kind, inputs);
  const defaults = defaultsOf(kind);
  const start = Object.fromEntries(kind.updateOnly.map((property) => [property, defaults[property]]));
  return stateOf(kind, record, {
    aid,
    unknownFields: [],
    unmanagedFields: unmanagedFields(kind, inputs),
    fallback: { ...start, ...sent },
  });
}

export function pickWriteOnly(kind: Kind, inputs: Properties): Properties {
  return Object.fromEntries(kind.writeOnly.map((property) => [property, inputs[property]]));
}

/** What is the same stays in the form it was declared in: `example.com` does not become `https://example.com:443/`. */
export function inKnownForm(kind: Kind, property: string, said: unknown, known: unknown): unknown {
  if (said === undefined) return known;
  return known !== undefined && isSame(kind, property, said, known) ? known : said;
}

/** A state as the inputs of a program that declares what this one does: what refresh shows and stores. */
export function inputsOf(kind: Kind, state: Properties): Properties {
  const hidden = new Set([...listOf(state["unmanagedFields"]), ...kind.providerOptions]);
  const properties = Object.keys(kind.properties).filter((property) => !hidden.has(property));
  return compact(Object.fromEntries(properties.map((property) => [property, state[property]])));
}

/** Whether there is no former state: `get` knows of a record nothing but where to look. */
export function isBare(former: Properties): boolean {
  return Object.keys(former).every((property) => property === "accountGroupId");
}

/** What of `inputs` the program leaves to the service. */
export function unmanagedFields(kind: Kind, inputs: Properties): string[] {
  return kind.leftToService.filter((property) => inputs[property] === undefined);
}

/** The members a create sends. */
export function createBody(kind: Kind, inputs: Properties): Properties {
  return pick(kind, inputs, (property) => !kind.updateOnly.includes(property));
}

/** The members an update sends: all that an update takes, since what a left-out member does is not documented. */
export function updateBody(kind: Kind, inputs: Properties): Properties {
  return pick(kind, inputs, (property) => !kind.createOnly.includes(property));
}

function pick(kind: Kind, inputs: Properties, wanted: (property: string) => boolean): Properties {
  // The account group travels as a query parameter.
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

function orAbsent(list: string[]): string[] | undefined {
  return list.length > 0 ? list : undefined;
}

function isProviderOption(kind: Kind, property: string): boolean {
  return kind.providerOptions.includes(property);
}
