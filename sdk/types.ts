import type * as pulumi from "@pulumi/pulumi";
import type { InputsOf, Kind, OutputsOf } from "../provider/kind";

/** A value, or an output of another resource, at every depth. */
export type DeepInput<T> = pulumi.Input<T extends readonly (infer I)[] ? DeepInput<I>[] : T extends object ? DeepInputs<T> : T>;

/** Members that may be outputs. One that must not be given stays so: by that the compiler and editors tell forms of an object apart. */
export type DeepInputs<T> = { [P in keyof T]: [T[P]] extends [undefined] ? T[P] : DeepInput<T[P]> };

/** Arguments of a resource class, from the schema of its kind. */
export type Args<K extends Kind> = { [P in keyof InputsOf<K>]: ArgOf<InputsOf<K>[P]> };

// In a tuple, so that a union of words stays one input and does not become a union of inputs.
type ArgOf<T> = [T] extends [string | number | boolean | undefined] ? pulumi.Input<T> : DeepInput<T>;

/** Outputs of a resource class: what the service holds. */
export type Outputs<K extends Kind> = { readonly [P in keyof OutputsOf<K>]: pulumi.Output<OutputsOf<K>[P]> };

/** Names of the outputs of a kind, each named once: the compiler refuses one too many or too few. */
export type OutputNames<K extends Kind> = { [P in keyof Required<OutputsOf<K>>]: true };
