import type { label } from "../provider/resources/label";
import { commonOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of a {@link Label}. */
export interface LabelArgs extends Args<typeof label> {}

const outputs: OutputNames<typeof label> = { ...commonOutputs, name: true, color: true, matchType: true, filters: true };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Label extends Outputs<typeof label> {}

/**
 * A label: a group of agents that share attributes. Tests select agents by its `id`.
 *
 * Changing a property marked "changing it replaces" deletes the record and creates another:
 * the label gets a new id, and what refers to it is replaced too.
 *
 * @example
 * ```ts
 * const office = new Label("office", {
 *   name: "Office",
 *   matchType: "or",
 *   filters: [{ key: "hostname", values: ["office-*"] }],
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Label extends Resource<LabelArgs> {
  /** @internal */
  static override readonly of: ResourceClass = { name: "Label", outputs, secrets: [] };
}
