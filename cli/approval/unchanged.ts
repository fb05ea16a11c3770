import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { sameValue } from "../../provider/values";
import { kindNameOf, managedOf, withoutProvider } from "../engine/state";
import type { OwnOperation } from "../operation/source";
import type { ApprovedChange } from "./approval";
import { declarable } from "./build";
import { learned } from "./compare-change";
import type { Unchanged } from "./differences";
import { optionsOf } from "../operation/options";
import { ApprovalValues } from "./values";

/** Ids that resources have in the state, by URN. */
export function heldIds({ held }: OwnOperation): ReadonlyMap<string, string | undefined> {
  return new Map(held.resources.filter((one) => one.delete !== true).map(({ urn, id }) => [urn, id]));
}

/** Tells of a change that was approved and is not to happen now whether it is done already. @param sealed key of the approval */
export function unchangedIn(source: OwnOperation, sealed: string | undefined): Unchanged {
  const values = new ApprovalValues(source, sealed);
  const { steps } = source.operation;
  const ids = heldIds(source);
  const same = new Map(steps.filter(({ op }) => op === "same").map((step) => [step.urn, step]));
  const urns = new Set(steps.map(({ urn }) => urn));
  return async ({ urn, after, pending, options }: ApprovedChange) => {
    if (pending) return "absent";
    const step = same.get(urn);
    if (!step) return urns.has(urn) ? "otherwise" : "absent";
    const declared = step.newState ?? step.oldState;
    if (!declared || after === undefined) return "otherwise";
    if (options && !sameValue(options.after, optionsOf(declared))) return "otherwise";
    const kindName = kindNameOf(declared.type);
    const kind: Kind | undefined = kindName && registry[kindName];
    const inputs = withoutProvider(declared.inputs);
    const own = kind ? declarable(kind, inputs) : inputs;
    const secrets = managedOf("", declared)?.secrets ?? new Set(declared.additionalSecretOutputs ?? []);
    const now = await values.after(urn, step.oldState?.id, own, secrets);
    // For values that were not known before the update, the result of the update counts.
    return sameValue(learned(after, now, ids), now) ? "as approved" : "otherwise";
  };
}
