import type { Finding, Subject } from "../../common/finding";
import type { Insight, JudgedStep } from "./model";
import { records } from "../../provider/registry";
import { nameOfUrn } from "../../engine/state";
import { addressDangers } from "../address";
import type { PlannedOperation, Step } from "../model";
import { optionChanges } from "../options";
import { errorText, few, fewNames, joined, ours, phrase, type Phrase, strong, word, words } from "../../common/phrase";
import { compareText, counted } from "../../common/text";
import type { ServiceAgent } from "../../provider/reach/holdings";
import { isDerivedReplacement } from "../../provider/compare";
import { lossSentence } from "../../provider/references/references";
import type { Limits, CheckName } from "./checks";

const maxAgentNames = 5;

export function subjectOf({ kind, name, urn }: Step): Subject {
  return { noun: kind.noun, name, urn };
}

/** Returns the subject of a sentence, such as `label "office"`. */
export function named({ noun, name }: Subject): Phrase {
  return phrase`${ours(noun)} ${name}`;
}

export function findingOn(subject: Subject, rule: CheckName, text: Phrase): Finding<CheckName> {
  return { rule, level: "warning", subject, text };
}

export function findingOf(rule: CheckName, text: Phrase): Finding<CheckName> {
  return { rule, level: "warning", text };
}

export function ofOperation(
  operation: PlannedOperation,
  changes: readonly JudgedStep[],
  limits: Limits,
  insight: Insight | undefined,
): Finding<CheckName>[] {
  return [
    ...addressDangers(operation, limits.allowUnknown).map(({ text, urn }) => ({
      ...findingOf("address", text),
      ...(urn !== undefined && { subject: { noun: "provider", name: nameOfUrn(urn), urn } }),
    })),
    ...ofEarlierUpdates(operation),
    ...changes.flatMap((change) => [...ofEngine(change), ...ofUnknown(change, limits), ...ofReferences(change)]),
    ...(insight ? [...ofLoad(insight), ...ofAgents(insight), ...insight.unasked.map(ofUnasked)] : []),
  ];
}

function ofEarlierUpdates({ pendingOthers, interrupted }: PlannedOperation): Finding<CheckName>[] {
  return [
    ...pendingOthers.map(({ urn, type, id = "" }) => {
      const subject = { noun: type, name: nameOfUrn(urn), urn };
      return findingOn(
        subject,
        "pending",
        phrase`${named(subject)} (id ${word(id)}) will be ${strong("deleted")}, because an earlier update did not complete the deletion`,
      );
    }),
    ...interrupted.map(({ urn, type }) => {
      const text = phrase`an earlier update was ${strong("interrupted")} while ${ours(type)} ${nameOfUrn(urn)}. Run ${word("pulumi refresh")} first to determine the outcome`;
      return { ...findingOf("pending", text), subject: { noun: type, name: nameOfUrn(urn), urn } };
    }),
  ];
}

/** Returns findings about values that are unknown until the update, except ids of new resources. */
function ofUnknown(step: JudgedStep, { allowUnknown = [] }: Limits): Finding<CheckName>[] {
  return step.unknown
    .filter(({ property, idsOf }) => !idsOf && !allowUnknown.includes(`${step.name}.${property}`))
    .map(({ property, from }) => {
      const made = from.length === 0 ? [] : phrase`, made from ${fewNames(from.map(nameOfUrn), maxAgentNames)}`;
      const subject = subjectOf(step);
      return findingOn(
        subject,
        "unknown-value",
        phrase`${named(subject)}: ${word(property)} is ${strong("known only during the update")}${made}, so it cannot be reviewed`,
      );
    });
}

function ofEngine(step: JudgedStep): Finding<CheckName>[] {
  const { op, refused, kindName, from, name, forgotten, cost } = step;
  const findings: Finding<CheckName>[] = [];
  const about = named(subjectOf(step));
  const add = (on: CheckName, text: Phrase): void => void findings.push(findingOn(subjectOf(step), on, text));
  // Only labels, tags and tests have records that an update can delete.
  const isRecord = Object.hasOwn(records, kindName);
  if (refused) {
    add(
      "protected",
      phrase`${about} is ${strong("protected")}: the engine will not ${ours(op)} it until you remove the protection`,
    );
  }
  if (step.pending) {
    const verb = forgotten === undefined ? "deleted" : "removed from state";
    const id = word(step.state?.id ?? "");
    add(
      "pending",
      phrase`${about} (id ${id}) will be ${strong(verb)}, because an earlier update replaced the record without deleting it`,
    );
  }
  // The engine refuses to delete a protected resource, even if the service would keep its record.
  if (from?.refused) {
    const subject = subjectOf(from);
    const text = phrase`${named(subject)} is ${strong("protected")}, so ${name} cannot adopt its record until you remove the protection`;
    findings.push(findingOn(subject, "protected", text));
  }
  if (step.otherStack !== undefined) {
    const id = word(step.state?.id ?? "");
    add("adopts-foreign", phrase`${about} ${strong("adopts a record")} that stack ${word(step.otherStack)} manages (id ${id})`);
  }
  if (op === "delete" && isRecord && forgotten === undefined) add("deletes", phrase`${about} is ${strong("deleted")}`);
  if (op === "replace" && isRecord) {
    add("replacements", phrase`${about} is ${strong("replaced")}${whyReplaced(step)}: ${ours(cost ?? "")}`);
    if (!step.asked && isDerivedReplacement(step.changes)) {
      const properties = words(step.changes.flatMap(({ property, derived }) => (derived ? [property] : [])));
      add(
        "derived-replacement",
        phrase`${about}: the service returns a value for ${properties} that ${strong("no program can declare")}`,
      );
    }
  }
  const isNew = op === "replace" || (op === "create" && createsRecord(step));
  for (const { path, reason } of isNew ? (step.kind.newRecordAdvice?.(step.declared?.inputs ?? {}) ?? []) : [])
    add("no-password", phrase`${about}: ${word(path)} ${strong(reason)}`);
  return [...findings, ...optionFindings(step), ...(op === "create" ? [] : secretFindings(step))];
}

/** Whether a create may create a record. With any other reason against an adoption, the update fails. */
function createsRecord({ creation }: JudgedStep): boolean {
  return creation === undefined || ["none", "unseen", "unclear"].includes(creation.how);
}

/**
 * Returns a finding about changed resource options. If the provider changes, the fix advises the user to check the account, because the
 * update does not move records.
 */
function optionFindings(step: JudgedStep): Finding<CheckName>[] {
  const changes = optionChanges(step.options);
  if (changes.length === 0) return [];
  const changed = changes.map(({ property, how }) => phrase`${word(property)} ${ours(how)}`);
  const subject = subjectOf(step);
  const finding = findingOn(
    subject,
    "options",
    phrase`${named(subject)} gets ${strong("other options")}: ${joined(changed, ", ")}`,
  );
  const provider = changes.find(({ property }) => property === "option provider")?.after;
  if (typeof provider !== "string") return [finding];
  return [
    {
      ...finding,
      fix: phrase`make sure that provider ${nameOfUrn(provider)} still uses the same account, because the update does not move records`,
    },
  ];
}

/** Returns the reasons for a replacement, such as ` because of endpointAgentLabels ("office" gets a new id)`. */
export function whyReplaced({ replaces, asked }: JudgedStep): Phrase {
  if (replaces.length === 0) return ours(asked ? " on request" : " for a reason that only the engine knows");
  const reasons = replaces.map(({ property, because = [] }) => {
    if (because.length === 0) return [word(property)];
    const gets = because.length > 1 ? "get new ids" : "gets a new id";
    return phrase`${word(property)} (${fewNames(because.map(nameOfUrn), because.length)} ${ours(gets)})`;
  });
  return phrase` because of ${joined(reasons, ", ")}`;
}

function secretFindings(step: JudgedStep): Finding<CheckName>[] {
  const { changes, hidden } = step;
  const subject = subjectOf(step);
  const finding = (text: Phrase): Finding<CheckName> => findingOn(subject, "secrets", phrase`${named(subject)}: ${text}`);
  const secrets = changes.filter(({ secret }) => secret);
  const changed = secrets.map(({ property, how }) => finding(phrase`secret ${word(property)} is ${strong(how)}`));
  if (hidden.length === 0) return changed;
  // Secrets that the preview hides also get a finding, because CI jobs stop only at findings.
  const text = onlySecrets(step)
    ? phrase`${oneOf(hidden)} ${strong("changes")}`
    : phrase`${oneOf(hidden)} ${strong("may change")}, but the preview hides the values`;
  return [...changed, finding(text)];
}

export function onlySecrets({ op, changes, hidden, unfinished }: JudgedStep): boolean {
  return op === "update" && changes.length === 0 && hidden.length > 0 && !unfinished;
}

/** Returns `secret password`, or `one of the secrets password, token`. */
export function oneOf(hidden: readonly string[]): Phrase {
  return phrase`${ours(hidden.length > 1 ? "one of the secrets" : "secret")} ${words(hidden)}`;
}

function ofReferences(step: JudgedStep): Finding<CheckName>[] {
  const { kind, references = [] } = step;
  if (references.length === 0) return [];
  const names = namesInOrder(references.map(({ name }) => name));
  const subject = subjectOf(step);
  const text = phrase`${named(subject)}: ${strong(lossSentence(kind, references))}: ${names}`;
  return [findingOn(subject, "loses-references", text)];
}

function ofUnasked(why: string): Finding<CheckName> {
  const text = phrase`it is ${strong("not known")} which alert rules and streams refer to the deleted or replaced records: ${errorText(why)}`;
  return findingOf("loses-references", text);
}

function ofLoad({ load, names }: Insight): Finding<CheckName>[] {
  const worse = load?.over.filter((overloaded) => overloaded.worse) ?? [];
  if (worse.length === 0) return [];
  const agents = worse.map(({ agent, after, limit }) => phrase`${names.agent(agent)} (${after} of ${limit})`);
  const text = phrase`${ours(counted(worse.length, "agent"))} would have ${strong("more tests than their license can run")}: ${few(agents, maxAgentNames)}`;
  return [findingOf("over-license", text)];
}

function ofAgents({ worlds: { before, after }, names }: Insight): Finding<CheckName>[] {
  const later = new Map([...after.agents.values()].flat().map((agent) => [agent.id, agent]));
  const all = [...before.agents.values()].flat();
  const finding = (agents: readonly ServiceAgent[], what: string): Finding<CheckName>[] => {
    if (agents.length === 0) return [];
    const shown = namesInOrder(agents.map((agent) => names.agent(agent)));
    return [findingOf("agents-off", phrase`${ours(counted(agents.length, "agent"))} ${strong(what)}: ${shown}`)];
  };
  const disabled = all.filter(({ id, enabled }) => enabled && later.get(id)?.enabled === false);
  const left = all.filter(({ id, accountGroupId }) => later.get(id)?.accountGroupId !== accountGroupId);
  return [...finding(disabled, "disabled"), ...finding(left, "deleted or moved to another account group")];
}

export function namesInOrder(names: readonly string[]): Phrase {
  return fewNames(names.toSorted(compareText), maxAgentNames);
}
