import type { Finding } from "../../common/finding";
import { errorText, fewNames, maxSpan, ours, phrase, type Phrase, strong, word } from "../../common/phrase";
import { count } from "../../common/text";
import { typesOfUrn } from "../../sdk/token";
import type { Step } from "../model";
import type { CheckName, Limits } from "./checks";
import { findingOf, findingOn, subjectOf } from "./findings";
import type { JudgedStep } from "./model";
import type { Costs, NamedCount } from "./review";

const maxNames = 5;

/** Returns a finding for a created resource that looks like a rename. Its fix is the edit after which the record is kept. */
export function ofRename(step: JudgedStep): Finding<CheckName>[] {
  const { renamedFrom: from, kind } = step;
  if (!from) return [];
  const lost = kind.reach?.means === "test" ? "id and result history" : "id";
  const former = from.name === step.name ? [] : phrase` from ${from.name}`;
  const what = strong(`looks ${renameVerb(step)}`);
  const text = phrase` ${what}${former} without an alias, and loses its ${ours(lost)} (${word(from.state?.id ?? "")})`;
  return [{ ...findingOn(subjectOf(step), "renamed", text), fix: aliasFix(aliasOf(from, step)) }];
}

/** `renamed`, or `moved` if the resource keeps its name */
export function renameVerb({ name, renamedFrom }: JudgedStep): "renamed" | "moved" {
  return renamedFrom?.name === name ? "moved" : "renamed";
}

/** `add aliases: [{ name: "old" }] to the resource options at index.ts:12` */
export function aliasFix(alias: string, place?: string): Phrase {
  const code = `aliases: [${alias}]`;
  const shown = code.length > maxSpan ? errorText(code) : word(code);
  return phrase`add ${shown} to the resource options${ours(place === undefined ? "" : ` at ${place}`)}`;
}

/**
 * Returns the finding about a lost record with what can be done: for a rename the alias that another finding has, and where no edit keeps
 * the record, that.
 *
 * @param created the created resources by name
 */
export function withFix(
  finding: Finding<CheckName>,
  step: JudgedStep | undefined,
  created: ReadonlyMap<string, JudgedStep>,
): Finding<CheckName> {
  if (!step || (finding.rule !== "deletes" && finding.rule !== "replacements")) return finding;
  const fix = step.renamedTo ? phrase`the alias under ${word("renamed")} keeps the record` : noEdit(step, created);
  return fix ? { ...finding, fix } : finding;
}

function noEdit({ op, name, kindName, changes }: JudgedStep, created: ReadonlyMap<string, JudgedStep>): Phrase | undefined {
  const other = created.get(name);
  if (op === "delete" && other && other.kindName !== kindName) {
    return ours("no edit keeps the record: its type is fixed");
  }
  if (op !== "replace") return undefined;
  const isMoved = changes.some(({ property, replaces, how }) => property === "accountGroupId" && replaces && how === "changed");
  return isMoved ? ours("no edit keeps the record: it stays in its account group") : undefined;
}

/**
 * Returns the alias that keeps a record. The former name is text, or an expression of the program for the resources of a loop. A resource
 * that had another parent needs its old URN, which no expression has.
 */
export function aliasOf(from: Pick<Step, "urn" | "name">, to: Pick<Step, "urn" | "name">, formerName?: string): string {
  const [before, after] = [typesOfUrn(from.urn), typesOfUrn(to.urn)];
  if (before !== after && before.includes("$")) return JSON.stringify(from.urn);
  const name = from.name === to.name ? [] : [`name: ${formerName ?? JSON.stringify(from.name)}`];
  const parent = before === after ? [] : ["parent: pulumi.rootStackResource"];
  return `{ ${[...name, ...parent].join(", ")} }`;
}

/** Returns a finding for each budget that a change exceeds. A load that is not known exceeds the budget. */
export function ofBudget(costs: Costs, { maxHistoriesLost, maxReplacements, maxLoad }: Limits): Finding<CheckName>[] {
  const over = (option: string, most: number | undefined, cost: NamedCount, what: string): Finding<CheckName>[] => {
    if (most === undefined || cost.count <= most) return [];
    const names = fewNames(cost.names, maxNames);
    return [
      findingOf("over-budget", phrase`${strong(`${count(cost.count)} ${what}`)} (${word(`${option} ${most}`)}): ${names}`),
    ];
  };
  return [
    ...over("--max-histories-lost", maxHistoriesLost, costs.histories, "tests lose their result history"),
    ...over("--max-replacements", maxReplacements, costs.replacements, "resources are replaced"),
    ...(maxLoad === undefined ? [] : ofLoadBudget(costs.rounds, maxLoad)),
  ];
}

function ofLoadBudget(rounds: Costs["rounds"], most: number): Finding<CheckName>[] {
  const limit = word(`--max-load ${most}`);
  const finding = (text: Phrase): Finding<CheckName>[] => [findingOf("over-budget", text)];
  if (!rounds) return finding(phrase`the load is ${strong("not known")}, so ${limit} cannot be checked`);
  if (rounds.after <= most) return [];
  return finding(phrase`tests ask for ${strong(`${count(rounds.after)} rounds an hour`)} afterwards (${limit})`);
}
