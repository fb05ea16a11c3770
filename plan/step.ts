import { compareText } from "../common/text";
import { secretMask } from "../common/text";
import { hasSecretTitle, titleOf as titleIn } from "../provider/identity";
import { records, registry } from "../provider/registry";
import type { Properties } from "../provider/values";
import { allOps, type Step } from "./model";

export function changesService({ op }: Step): boolean {
  return op !== "same" && op !== "options";
}

/** Returns the name of a record in the service, unless the name is secret. */
export function titleOf({ kind, secrets, state, declared }: Step): string | undefined {
  const { inputs = {} } = declared ?? state ?? {};
  const isMasked = kind.identity.some((property) => inputs[property] === secretMask);
  return isMasked || hasSecretTitle(kind, secrets) ? undefined : titleIn(kind, inputs);
}

/** Returns the properties of a resource after the update, including values that the service chooses. */
export function desiredProperties({ kind, state, declared }: Step): Properties {
  const chosen = kind.leftToService.map((property) => [property, state?.outputs[property]]);
  return { ...Object.fromEntries(chosen), ...declared?.inputs };
}

export function whyForgotten({ op, kind, state, retained }: Step): string | undefined {
  if (op !== "delete" || !state) return undefined;
  if (retained) return `the ${kind.noun} stays in the service`;
  if (kind.reach?.means === "agents") {
    const removal = kind.reach.removal(state.id, state.outputs);
    if (removal.some(({ deleted }) => deleted)) return undefined;
    if (removal.some(({ enabled }) => enabled === false)) return "the agent stays in the service, disabled";
    return "nothing changes in the service";
  }
  // A kind without `origin` has no records in the service.
  return kind.origin === undefined ? "the service has no record to delete" : undefined;
}

export function replacementCost({ kind, kindName, retained }: Step): string {
  // The replacement of an agent or an instant test deletes no record.
  const isLeft = retained && Object.hasOwn(records, kindName);
  return isLeft
    ? `the old ${kind.noun} is removed from state and stays in the service next to the new one`
    : kind.replacementCost;
}

const kindOrder = Object.keys(registry);

/** Sorts steps for reports. Pending deletions come first. */
export function byImportance(a: Step, b: Step): number {
  return (
    Number(b.pending) - Number(a.pending) ||
    allOps.indexOf(a.op) - allOps.indexOf(b.op) ||
    kindOrder.indexOf(a.kindName) - kindOrder.indexOf(b.kindName) ||
    compareText(a.name, b.name) ||
    compareText(a.urn, b.urn) ||
    compareText(a.state?.id ?? "", b.state?.id ?? "")
  );
}
