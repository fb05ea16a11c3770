import type * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../types";

/** Arguments of a function in the form `F`. They may be omitted if all of them are optional. */
export type Given<A, F = A> = object extends A ? [args?: F] : [args: F];

/** A function that queries the service. It works in a preview, in an update, and in a script without an engine. */
export interface Fetch<A, R> {
  (...params: Given<A>): Promise<R>;
}

/** A function that reads pages. */
export interface FetchAll<A, R> extends Fetch<A, R[]> {
  /** Returns the same rows page by page. Each page is requested when the program reads it. */
  pages(...params: Given<A>): AsyncIterable<R[]>;
}

/** The form of a function that accepts outputs of resources and returns an output. */
export interface FetchOutput<A, R> {
  (...params: [...args: Given<A, DeepInput<A>>, options?: OutputOptions]): pulumi.Output<R>;
}

/** Options of a function's output form. */
export interface OutputOptions {
  /** Resources that must exist first. If one of them does not exist yet, as in a preview, the result is unknown. */
  dependsOn?: pulumi.CustomResource | readonly pulumi.CustomResource[];
}

/** Properties of a function that its output form needs. */
export interface OutputForm {
  /** Whether the result is a secret for all arguments. */
  readonly secret?: boolean;
  /** Replaces resources in the arguments by plain values. */
  readonly plain?: (args: object) => object;
}
