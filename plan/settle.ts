import { Ledger } from "../provider/ledger";
import type { RecordKind } from "../provider/record-kind";
import { records, type RecordKindName } from "../provider/registry";
import { isUnknown, type Properties, stringOf } from "../provider/values";
import { type ManagedResource } from "../engine/state";
import { secretMask } from "../common/text";
import { comparisonOf } from "./step-changes";
import { type AdoptionDecision, type AdoptSetting, type Candidate, decide } from "./adoption";
import { type PlannedOperation, type Step } from "./model";
import type { ServiceView } from "./service";
import { changesOf, withKeptIds } from "./stand-ins";
import { stepsByUrn } from "./unknown";
import { compared } from "./steps";
import { byImportance, desiredProperties } from "./step";

/**
 * Predicts the steps of an update from the steps of its preview.
 *
 * The engine does not know about adoption. If a renamed resource adopts its record, the preview shows a create step and a delete step. The
 * preview also shows changes to all resources that use the record's id.
 */
export function settled({ own, adopt, ofOtherStacks = [] }: PlannedOperation, service: ServiceView | undefined): Step[] {
  const settling = new Settling(own, service, adopt === "identical" ? "identical" : "never", ofOtherStacks);
  const all = own.map((step) => settling.settle(step));
  return all.flatMap((step) => settling.afterAll(step)).toSorted(byImportance);
}

class Settling {
  readonly #ledger = new Ledger();
  readonly #settled = new Map<Step, Step>();
  /** The steps `delete` that keep the record in the service, because another step adopts the record. */
  readonly #adopted = new Set<Step>();
  readonly #byUrn: ReadonlyMap<string, Step>;

  constructor(
    private readonly planned: readonly Step[],
    private readonly service: ServiceView | undefined,
    private readonly setting: AdoptSetting,
    private readonly ofOtherStacks: readonly ManagedResource[],
  ) {
    this.#byUrn = stepsByUrn(planned);
    for (const step of planned) {
      const { op, kind, state } = step;
      // A delete operation does not disable an agent that another resource adopts, so the constructor marks all adopted agents first.
      if (op === "create" || op === "replace")
        for (const { agentId } of changesOf(step)) this.#ledger.markAcquired(kind, agentId);
      // The engine does not call `diff` before a requested replacement, so the provider's `create` does not know the old record.
      if (!state || step.asked || op === "delete" || kind.origin === undefined) continue;
      if (op === "replace") this.#ledger.markReleased(kind, state.id);
      else this.#ledger.markUpdated(kind, state.id);
    }
  }

  /** A delete operation leaves a record in the service if another resource of the stack manages the record. */
  afterAll(step: Step): Step[] {
    if (this.#adopted.has(step)) return [];
    const isOwned = step.op === "delete" && step.state !== undefined && this.#ledger.isOwned(step.kind, step.state.id);
    return [isOwned ? { ...step, retained: true } : step];
  }

  /** Predicts the outcomes of a step's dependencies, and then the outcome of the step. */
  settle(step: Step): Step {
    const known = this.#settled.get(step);
    if (known) return known;
    // Only a damaged preview has circular dependencies.
    this.#settled.set(step, step);
    const resolved = this.#withIds(step);
    const result = this.#carriedOut(resolved, resolved !== step);
    this.#settled.set(step, result);
    return result;
  }

  #carriedOut(step: Step, knowsMore: boolean): Step {
    if (step.op === "create") return this.#created(step);
    if (step.op === "replace" && step.asked && step.createsFirst) return this.#replacedByItself(step);
    return knowsMore ? reconsidered(step) : step;
  }

  /** Replaces unknown ids that become known through adoptions. If no unknown id becomes known, returns the same object. */
  #withIds(step: Step): Step {
    if (!step.declared) return step;
    const urns = new Set(Object.keys(step.kind.refersTo).flatMap((property) => step.dependencies[property] ?? []));
    const sources = [...urns].flatMap((urn) => this.#byUrn.get(urn) ?? []);
    const settledSources = sources.map((source) => this.settle(source));
    if (settledSources.every((source, at) => source === sources[at])) return step;
    const inputs = withKeptIds(step, step.declared.inputs, stepsByUrn(settledSources));
    return compared({ ...step, declared: { ...step.declared, inputs } });
  }

  #created(step: Step): Step {
    const { declared, kindName } = step;
    const kind = recordKindOf(step);
    if (!declared || !kind) return step;
    const adopt = this.#adopting(declared.inputs);
    const decision = this.#decision(step, kind, declared.inputs, adopt);
    if (decision.how !== "adopts") {
      const isNoted = decision.ids !== undefined || adopt === "named" || (decision.how === "unclear" && adopt !== "never");
      const isUnseen = decision.how === "none" && !this.service?.holdings.isComplete;
      return isNoted ? { ...step, creation: isUnseen ? { how: "unseen" } : decision } : step;
    }
    this.#ledger.markAcquired(kind, decision.id);
    const from = this.planned.find(
      ({ op, kindName: other, state }) => op === "delete" && other === kindName && state?.id === decision.id,
    );
    if (from) this.#adopted.add(from);
    const other = this.ofOtherStacks.find((managed) => managed.kindName === kindName && managed.id === decision.id);
    return compared({
      ...step,
      op: "adopt",
      state: { ...declared, id: decision.id, inputs: decision.state, outputs: decision.state, protect: false },
      secrets: new Set([...step.secrets, ...(from?.secrets ?? [])]),
      from,
      ...(other && { otherStack: other.stack }),
    });
  }

  /** With the replacement order `create-first`, a requested replacement may adopt the resource's own record and thus become an update. */
  #replacedByItself(step: Step): Step {
    const { declared, state, refused } = step;
    const kind = recordKindOf(step);
    if (!declared || refused || !kind) return step;
    const decision = this.#decision(step, kind, declared.inputs, this.#adopting(declared.inputs));
    // The create request may fail because the resource's own record still exists.
    if (decision.how !== "adopts") return decision.ids ? { ...step, creation: decision } : step;
    if (decision.id !== state?.id) return step;
    this.#ledger.markAcquired(kind, decision.id);
    return compared({ ...step, op: "update", asked: false, reasons: [] });
  }

  #adopting(inputs: Properties): AdoptSetting {
    return inputs["adopt"] === true ? "named" : this.setting;
  }

  #decision(step: Step, kind: RecordKind, inputs: Properties, adopt: AdoptSetting): AdoptionDecision {
    const group = desiredProperties(step)["accountGroupId"] ?? this.service?.defaultAccountGroupId;
    if (isUnknown(group) || group === secretMask) return { how: adopt === "named" ? "unclear" : "none" };
    return decide(kind, this.#candidates(step, stringOf(group)), inputs, { ledger: this.#ledger, adopt });
  }

  /** Returns the records that a create operation may adopt. If the service was not read, the records come from the state. */
  #candidates({ kind }: Step, group: string | undefined): Candidate[] {
    const { records: listed = [], isComplete = false } = this.service?.holdings ?? {};
    const serviceRecords = listed.filter((record) => record.kind === kind && record.accountGroupId === group);
    const ids = new Set(serviceRecords.map(({ id }) => id));
    const managed = this.planned.flatMap(({ kind: other, state }): Candidate[] => {
      if (isComplete || !state || other !== kind || ids.has(state.id)) return [];
      // If the service was not read, the token's default account group is not known.
      const here =
        group === undefined ? state.inputs["accountGroupId"] === undefined : state.outputs["accountGroupId"] === group;
      return here ? [{ id: state.id, state: state.outputs }] : [];
    });
    return [...serviceRecords, ...managed];
  }
}

function recordKindOf({ kindName }: Step): RecordKind | undefined {
  return Object.hasOwn(records, kindName) ? records[kindName as RecordKindName] : undefined;
}

/** Compares the state and the inputs again, because more inputs are known now than during the engine's preview. */
function reconsidered(step: Step): Step {
  const { op, changes, hidden } = comparisonOf(step);
  if (step.asked) return step;
  const still = op === "same" && (hidden.length > 0 || step.unfinished) ? "update" : op;
  const forcing = new Set(changes.filter(({ replaces }) => replaces).map(({ property }) => property));
  return compared({
    ...step,
    op: still,
    reasons: step.reasons.filter((property) => forcing.has(property)),
    refused: step.refused && still === "replace",
  });
}
