import type * as pulumi from "@pulumi/pulumi";
import type { DeepInput } from "../types";

/** Parameters of a function. The caller may omit the arguments if all arguments are optional. */
export type FunctionParameters<A, F = A> = object extends A ? [args?: F] : [args: F];

/** A function that queries the service in a preview, in an update, or in a script that Pulumi does not run. */
export interface Fetch<A, R> {
  (...params: FunctionParameters<A>): Promise<R>;
}

/** A function that reads rows from several pages. */
export interface FetchAll<A, R> extends Fetch<A, R[]> {
  /** Returns the rows page by page. The function requests a page only when the program reads the page. */
  pages(...params: FunctionParameters<A>): AsyncIterable<R[]>;
}

/** A function that accepts outputs of resources as arguments and returns an output. */
export interface FetchOutput<A, R> {
  (...params: [...args: FunctionParameters<A, DeepInput<A>>, options?: OutputOptions]): pulumi.Output<R>;
}

/** Options of a function that returns an output. */
export interface OutputOptions {
  /**
   * Resources that must exist before the call. If any of the resources does not exist yet, as in a preview, the function's
   * result is unknown.
   */
  dependsOn?: pulumi.CustomResource | readonly pulumi.CustomResource[];
}

export interface OutputForm {
  /** Whether the result is always secret. */
  readonly secret?: boolean;
  /** Replaces each resource in the arguments with a plain object. */
  readonly plain?: (args: object) => object;
}
