import { Ledger } from "../../provider/ledger";
import type { RecordKind } from "../../provider/record-kind";
import { records, type RecordKindName } from "../../provider/registry";
import { isUnknown, type Properties, stringOf } from "../../provider/values";
import { secretMask } from "../held";
import { type Candidate, decide } from "./adoption";
import type { Decision } from "./decision";
import type { Told } from "./told";
import { byImportance, type Planned } from "./planned";
import { StandIns } from "./stand-ins";
import { verdictOf } from "./verdict";

/** The stack's setting `adopt`. */
export type AdoptSetting = "identical" | undefined;

/**
 * The steps of a preview as the update will carry them out. The engine knows nothing of adoption: in its preview a renamed resource
 * that adopts its record is a create and a delete, and whatever uses its id changes.
 */
export function settled(planned: readonly Planned[], told: Told | undefined, setting: AdoptSetting): Planned[] {
  const settling = new Settling(planned, told, setting);
  const all = planned.map((one) => settling.settle(one));
  return all.flatMap((one) => (settling.isTakenOver(one) ? [] : settling.kept(one))).toSorted(byImportance);
}

class Settling {
  readonly #ledger = new Ledger();
  readonly #settled = new Map<Planned, Planned>();
  readonly #takenOver = new Set<Planned>();
  readonly #byUrn: ReadonlyMap<string, Planned>;

  constructor(
    private readonly planned: readonly Planned[],
    private readonly told: Told | undefined,
    private readonly setting: AdoptSetting,
  ) {
    this.#byUrn = new Map(planned.filter(({ op }) => op !== "delete").map((one) => [one.urn, one]));
    for (const { op, kind, old } of planned) {
      if (!old || op === "delete" || kind.origin === undefined) continue;
      if (op === "replace") this.#ledger.markReleased(kind, old.id);
      else this.#ledger.markUpdated(kind, old.id);
    }
  }

  /** Whether a step deletes nothing, as another adopts its record. */
  isTakenOver(one: Planned): boolean {
    return this.#takenOver.has(one);
  }

  /** A step; of a delete that leaves the record to another resource of the stack, as after an adoption that was interrupted, so. */
  kept(one: Planned): Planned {
    const isOwned = one.op === "delete" && one.old !== undefined && this.#ledger.isOwned(one.kind, one.old.id);
    return isOwned ? { ...one, retained: true } : one;
  }

  /** A step as it will be carried out; what it depends on is settled first. */
  settle(one: Planned): Planned {
    const known = this.#settled.get(one);
    if (known) return known;
    // Resources do not depend on each other in a circle; a damaged preview may say so.
    this.#settled.set(one, one);
    const resolved = this.#withIds(one);
    const result = resolved.op === "create" ? this.#created(resolved) : resolved === one ? one : reconsidered(resolved);
    this.#settled.set(one, result);
    return result;
  }

  /** A step with the ids that what it depends on turns out to keep; itself where it knows them all. */
  #withIds(one: Planned): Planned {
    if (!one.now) return one;
    const urns = new Set(Object.keys(one.kind.refersTo).flatMap((property) => one.dependencies[property] ?? []));
    const sources = [...urns].flatMap((urn) => this.#byUrn.get(urn) ?? []);
    const now = sources.map((source) => this.settle(source));
    if (now.every((source, at) => source === sources[at])) return one;
    const inputs = new StandIns(now).withKeptIds(one, one.now.inputs);
    return { ...one, now: { ...one.now, inputs } };
  }

  /** A create, as the provider will find the records. */
  #created(one: Planned): Planned {
    const { now, kindName } = one;
    if (!now || !Object.hasOwn(records, kindName)) return one;
    // A name of the registry of records: that was just looked at.
    const kind: RecordKind = records[kindName as RecordKindName];
    const adopt = now.inputs["adopt"] === true ? "named" : (this.setting ?? "never");
    const decision = this.#decision(one, kind, now.inputs, adopt);
    if (decision.how !== "adopts") return noteworthy(decision, adopt) ? { ...one, creation: this.#creation(decision) } : one;
    this.#ledger.markAcquired(kind, decision.id);
    const from = this.planned.find(
      ({ op, kindName: other, old }) => op === "delete" && other === kindName && old?.id === decision.id,
    );
    if (from) this.#takenOver.add(from);
    return {
      ...one,
      op: "adopt",
      old: { ...now, id: decision.id, inputs: decision.state, outputs: decision.state, protect: false },
      secrets: new Set([...one.secrets, ...(from?.secrets ?? [])]),
      from,
    };
  }

  #decision(one: Planned, kind: RecordKind, inputs: Properties, adopt: "never" | "identical" | "named"): Decision {
    const group = inputs["accountGroupId"] ?? this.told?.fallback;
    if (isUnknown(group) || group === secretMask) return adopt === "named" ? { how: "unclear" } : { how: "creates" };
    return decide(kind, this.#candidates(one, stringOf(group)), inputs, { ledger: this.#ledger, adopt });
  }

  #creation(decision: Exclude<Decision, { how: "adopts" }>): NonNullable<Planned["creation"]> {
    return { ...decision, looked: this.told?.holdings.whole === true };
  }

  /** Records of a kind and account group: those of the service, and where it was not asked or did not say, those of the state. */
  #candidates({ kind }: Planned, group: string | undefined): Candidate[] {
    const { records: listed = [], whole = false } = this.told?.holdings ?? {};
    const found = listed.filter((record) => record.kind === kind && record.aid === group);
    const ids = new Set(found.map(({ id }) => id));
    const held = this.planned.flatMap(({ kind: other, old }): Candidate[] => {
      if (whole || !old || other !== kind || ids.has(old.id)) return [];
      // Without the service it is not known which account group is the token's own.
      const here = group === undefined ? old.inputs["accountGroupId"] === undefined : old.outputs["accountGroupId"] === group;
      return here ? [{ id: old.id, state: old.outputs }] : [];
    });
    return [...found, ...held];
  }
}

/** Whether there is something to say of a create that adopts nothing. */
function noteworthy({ how }: Decision, adopt: "never" | "identical" | "named"): boolean {
  return how === "refused" || (how === "unclear" && adopt !== "never") || adopt === "named";
}

/** A step of which inputs are known now that the engine's preview did not know: what is still to do. */
function reconsidered(one: Planned): Planned {
  const { op, changes, hidden } = verdictOf(one);
  if (one.asked) return one;
  const still = op === "same" && (hidden.length > 0 || one.unfinished) ? "update" : op;
  const forcing = new Set(changes.filter(({ replaces }) => replaces).map(({ property }) => property));
  return {
    ...one,
    op: still,
    reasons: one.reasons.filter((property) => forcing.has(property)),
    refused: one.refused && still === "replace",
  };
}
