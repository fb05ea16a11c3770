import type * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../types";

/** Arguments of a function, in the form `F`; they may be left out where none of them is required. */
export type Given<A, F = A> = object extends A ? [args?: F] : [args: F];

/** A function that asks the service. It works in a preview, in an update, and in a script without an engine. */
export interface Fetch<A, R> {
  (...params: Given<A>): Promise<R>;
}

/** A function whose answer comes in pages. */
export interface FetchAll<A, R> extends Fetch<A, R[]> {
  /** The same page by page, each asked for when the program takes it. */
  pages(...params: Given<A>): AsyncIterable<R[]>;
}

/** The form of a function that takes outputs of resources, and gives an output. */
export interface FetchOutput<A, R> {
  (...params: [...args: Given<A, DeepInput<A>>, options?: OutputOptions]): pulumi.Output<R>;
}

/** Options of the form of a function that gives an output. */
export interface OutputOptions {
  /** Resources that must exist first. While one of them is yet to be created, as in a preview, the answer is unknown. */
  dependsOn?: pulumi.CustomResource | readonly pulumi.CustomResource[];
}

/** Properties of a function that its form with an output needs. */
export interface OutputForm {
  /** Whether the answer is a secret even if no argument is. */
  readonly secret?: boolean;
  /** Replaces resources in the arguments. */
  readonly plain?: (args: object) => object;
}
