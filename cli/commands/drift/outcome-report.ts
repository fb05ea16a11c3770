import type { Kind } from "../../../provider/kind";
import { type KindName, registry } from "../../../provider/registry";
import { positionText } from "../../../common/position";
import { type Block, heading, list, type Medium, section } from "../../report/document";
import { errorText, ours, phrase, type Phrase, word, words } from "../../../common/phrase";
import { counted } from "../../../common/text";
import type { DriftOutcome, MissingResource, Replacement, ResourceRef, UnseenProperty } from "./data";

export function outcomeBlocks(title: string, outcome: DriftOutcome, medium: Medium): Block[] {
  const { resources, replaced = [], left, pending, failures } = outcome;
  const headline = heading([`${title}: ${counted(resources.length, "resource")}`]);
  const done = list("resource", resources, (resource) => {
    const properties = resource.properties.length > 0 ? phrase`: ${words(resource.properties)}` : [];
    return phrase`${resourceOfStack(resource)} ${ours(resource.how)}${properties}`;
  });
  const kept = list("resource", left, (resource) => phrase`${resourceOfStack(resource)}: ${errorText(resource.reason)}`);
  const waiting = list("change", pending, ({ stack, op, name }) => phrase`${ours(op)} ${word(name)} of stack ${word(stack)}`);
  // On a terminal, the command prints failures to standard error.
  const failed = list("failure", medium === "markdown" ? failures : [], (failure) => [errorText(failure)]);
  return [
    headline,
    done,
    ...section(["Replaced: the old records were deleted"], list("kind", replacementItems(replaced))),
    ...section(["Not changed"], kept),
    ...section(["Other changes to the program: not applied (run `pulumi up`)"], waiting),
    ...section(["Failed"], failed),
  ];
}

/** Describes an unmanaged record that probably replaces a deleted record, with advice to adopt it. */
export function recreatedText({ id, name }: NonNullable<MissingResource["recreated"]>): Phrase {
  return phrase`the missing record was probably recreated: record ${word(id)} (${name}) has the same settings. To keep record ${word(id)}, set ${word("adopt: true")} and run ${word("pulumi up --refresh")}`;
}

/** Returns a phrase such as `label lab of stack dev (index.ts:7)`. */
export function resourceOfStack({ kind, name, stack, position }: ResourceRef): Phrase {
  const where = position ? phrase` (${word(positionText(position))})` : [];
  return phrase`${ours(nounOf(kind))} ${word(name)} of stack ${word(stack)}${where}`;
}

/** Returns a phrase for each replaced resource type, such as `2 labels (a, b): each time, the label gets a new id`. */
export function replacementItems(replacements: readonly Replacement[]): Phrase[] {
  return [...Map.groupBy(replacements, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const names = words(
      ofKind.map(({ name }) => name),
      maxNames,
    );
    const cost = `${ofKind.length === 1 ? "" : "each time, "}${ofKind[0]?.replacementCost ?? ""}`;
    return phrase`${ours(counted(ofKind.length, nounOf(kind)))} (${names}): ${ours(cost)}`;
  });
}

/** Describes properties that the service never returns, such as `password of 3 tests`. */
export function unseenItems(unseen: readonly UnseenProperty[]): Phrase[] {
  const alike = Map.groupBy(unseen, ({ kind, resources }) => counted(resources, nounOf(kind)));
  return [...alike].map(([resources, sameCount]) => [
    `${sameCount.map(({ property }) => property).join(", ")} of ${resources}`,
  ]);
}

export function nounOf(kind: KindName): string {
  const { noun }: Kind = registry[kind];
  return noun;
}

export const maxNames = 10;
