import { counted } from "../words";
import { records, registry } from "../../provider/registry";
import { nameOfUrn } from "../held";
import type { Comparison } from "./load";
import type { Names } from "./names";
import { few, joined, ours, phrase, type Phrase, strong, word } from "./phrase";
import type { Planned } from "./planned";
import { isOff, selections } from "./reach";
import type { ReviewedResource } from "./report";
import type { Agent } from "./service";
import { type StopWord, stopWords } from "./stop-words";
import type { Verdict } from "./verdict";
import { byTags, type Selected } from "./world";
import { keyAfter, type Worlds } from "./worlds";

/** A thing worth stopping for. */
export interface Stop {
  word: StopWord;
  urn?: string;
  text: Phrase;
}

/** A step with what was made of it. */
export interface Analysed {
  planned: Planned;
  verdict: Verdict;
  resource: ReviewedResource;
}

/** What could be told with the help of the service. */
export interface Insight {
  worlds: Worlds;
  names: Names;
  /** Absent where some list is missing. */
  load?: Comparison;
}

/** Agents or tests that a sentence names. */
const named = 5;

/** All things worth stopping for, the most serious kinds first. */
export function stopsIn(changes: readonly Analysed[], insight: Insight | undefined): Stop[] {
  const found = [
    ...changes.flatMap(ofEngine),
    ...(insight ? changes.flatMap((one) => ofReach(one, insight)) : []),
    ...(insight ? ofTouched(changes, insight) : []),
    ...(insight?.load ? ofLoad(insight.load, insight.names) : []),
    ...(insight ? ofAgents(insight) : []),
  ];
  const order = Object.keys(stopWords);
  return found.toSorted((a, b) => order.indexOf(a.word) - order.indexOf(b.word));
}

/** `HTTP-server test "portal"` */
export function subject({ kind, name }: Pick<Planned, "kind" | "name">): Phrase {
  return phrase`${ours(kind.noun)} ${name}`;
}

/** What the preview alone tells. */
function ofEngine({ planned, resource }: Analysed): Stop[] {
  const { op, urn, refused, retained, kindName } = planned;
  const stops: Stop[] = [];
  const add = (stop: StopWord, text: Phrase): void => void stops.push({ word: stop, urn, text });
  // Other kinds keep nothing in the service that could be lost.
  const isRecord = Object.hasOwn(records, kindName);
  if (refused) {
    add(
      "protected",
      phrase`${subject(planned)} is ${strong("protected")}: the engine refuses to ${ours(op)} it until it is unprotected`,
    );
  }
  if (op === "delete" && isRecord && !retained) add("deletes", phrase`${subject(planned)} is ${strong("deleted")}`);
  if (op === "replace" && isRecord) {
    add(
      "replacements",
      phrase`${subject(planned)} is ${strong("replaced")}${whyReplaced(resource)}: ${ours(planned.kind.replacementCost)}`,
    );
  }
  if (op !== "create") for (const text of secretsOf(planned, resource)) add("secrets", text);
  return stops;
}

/** ` because of isPrioritized, endpointAgentLabels ("office" gets a new id)` */
export function whyReplaced(resource: ReviewedResource): Phrase {
  const reasons = reasonsOf(resource);
  if (reasons.length > 0) return phrase` because of ${reasons}`;
  return ours(resource.asked ? ", as somebody asked for it" : ", as the engine says");
}

/** `isPrioritized, endpointAgentLabels ("office" gets a new id)` */
export function reasonsOf({ replaces }: ReviewedResource): Phrase {
  const reasons = replaces.map(({ property, because = [] }) => {
    const recreated = joined(
      because.map((urn) => phrase`${nameOfUrn(urn)}`),
      ", ",
    );
    const gets = because.length > 1 ? "get new ids" : "gets a new id";
    return because.length > 0 ? phrase`${word(property)} (${recreated} ${ours(gets)})` : phrase`${word(property)}`;
  });
  return joined(reasons, ", ");
}

function secretsOf(planned: Planned, resource: ReviewedResource): Phrase[] {
  const { changes, hidden } = resource;
  const certain = changes.filter(({ secret }) => secret);
  const told = certain.map(({ property, how }) => phrase`secret ${word(property)} of ${subject(planned)} is ${strong(how)}`);
  if (hidden.length === 0) return told;
  // Nobody could rely on a gate that lets through what it cannot see.
  const how = onlySecrets(resource) ? strong("changes") : phrase`${strong("may change")}, too: the preview does not tell`;
  return [...told, phrase`${oneOf(hidden)} of ${subject(planned)} ${how}`];
}

/** Whether an update can be about nothing but secrets that a mask hides. */
export function onlySecrets({ op, changes, hidden, unfinished }: ReviewedResource): boolean {
  return op === "update" && changes.length === 0 && hidden.length > 0 && !unfinished;
}

/** Secrets of which one changes, or may. */
export function oneOf(hidden: readonly string[]): Phrase {
  const properties = joined(
    hidden.map((property) => phrase`${word(property)}`),
    ", ",
  );
  return hidden.length > 1 ? phrase`one of the secrets ${properties}` : phrase`secret ${properties}`;
}

/** Whom a resource that changes selects afterwards. */
function ofReach({ planned, resource }: Analysed, { worlds }: Insight): Stop[] {
  const key = keyAfter(planned);
  if (resource.reach === undefined || key === undefined || isOff(worlds.after, key)) return [];
  const [before, after] = selections(worlds, planned);
  const { urn } = planned;
  if (after?.value === undefined) {
    if (after === undefined || after.why === byTags || worlds.after.agents.size === 0) return [];
    const text = phrase`whom ${subject(planned)} selects is ${strong("not known")}: ${ours(after.why)}`;
    return [{ word: "unknown-reach", urn, text }];
  }
  const wasOn = planned.old !== undefined && !isOff(worlds.before, planned.old.id);
  return extremes(subject(planned), wasOn ? before?.value : undefined, after.value, true).map((stop) => ({ ...stop, urn }));
}

/** Tests that stay as they are and select by a label that does not. */
function ofTouched(changes: readonly Analysed[], { worlds: { before, after } }: Insight): Stop[] {
  const changed = new Set(changes.flatMap(({ planned }) => [planned.old?.id, planned.urn]));
  const stops: Stop[] = [];
  const told = new Set<string>();
  for (const { planned, resource } of changes) {
    const staying = (resource.touches ?? []).filter(({ id }) => id !== undefined && !changed.has(id));
    const gone = planned.old && planned.op !== "update" ? after.testsOf(planned.old.id) : [];
    const orphans = staying.filter(({ id = "" }) => gone.includes(id));
    if (orphans.length > 0 && !planned.retained) {
      const tests = listed(orphans.map(({ name }) => name));
      const text = phrase`${subject(planned)} ${strong("goes")}, while tests that stay as they are select by it: ${tests}`;
      stops.push({ word: "label-in-use", urn: planned.urn, text });
    }
    for (const { id = "", name, kind, urn } of staying) {
      const [now, then] = [before.selectedBy(id)?.value, after.selectedBy(id)?.value];
      if (told.has(id) || !now || !then || isOff(after, id)) continue;
      const what = phrase`${ours(registry[kind].noun)} ${name}, which stays as it is,`;
      const found = extremes(what, now, then, false);
      if (found.length > 0) told.add(id);
      stops.push(...found.map((stop) => ({ ...stop, ...(urn !== undefined && { urn }) })));
    }
  }
  return stops;
}

/** Nobody, or everybody. What selected everybody before is no news, and neither is a test nobody touched that selected nobody. */
function extremes(what: Phrase, before: Selected | undefined, after: Selected, evenIfSo: boolean): Stop[] {
  if (after.agents.length === 0 && (evenIfSo || (before?.agents.length ?? 0) > 0)) {
    return [{ word: "selects-none", text: phrase`${what} ${strong("selects no agent")}` }];
  }
  if (!after.all || before?.all) return [];
  const most = after.count < after.agents.length ? phrase`, of which ${after.count} run it` : [];
  return [
    {
      word: "selects-all",
      text: phrase`${what} ${strong("selects every agent")} there is (${after.agents.length} agents${most})`,
    },
  ];
}

function ofLoad({ over }: Comparison, names: Names): Stop[] {
  const worse = over.filter((one) => one.worse);
  if (worse.length === 0) return [];
  const agents = worse.map(({ agent, after, limit }) => phrase`${names.agent(agent)} (${after} of ${limit})`);
  const text = phrase`${ours(counted(worse.length, "agent"))} would have ${strong("more tests than the licence runs")}: ${few(agents, named)}`;
  return [{ word: "over-licence", text }];
}

function ofAgents({ worlds: { before, after }, names }: Insight): Stop[] {
  const then = new Map([...after.agents.values()].flat().map((agent) => [agent.id, agent]));
  const all = [...before.agents.values()].flat();
  const tell = (agents: readonly Agent[], what: string): Stop[] =>
    agents.length === 0
      ? []
      : [
          {
            word: "agents-off",
            text: phrase`${ours(counted(agents.length, "agent"))} ${strong(what)}: ${listed(agents.map((agent) => names.agent(agent)))}`,
          },
        ];
  return [
    ...tell(
      all.filter(({ id, enabled }) => enabled && then.get(id)?.enabled === false),
      "disabled",
    ),
    ...tell(
      all.filter(({ id, aid }) => then.get(id)?.aid !== aid),
      "deleted or moved to another account group",
    ),
  ];
}

function listed(names: readonly string[]): Phrase {
  const sorted = names.toSorted().map((name) => phrase`${name}`);
  return few(sorted, named);
}
