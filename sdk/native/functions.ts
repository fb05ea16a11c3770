import * as functions from "../functions";
import { outputFormOf } from "../functions/define";
import type { Fetch, FetchAll, FetchOutput } from "../functions/fetch";
import { invoking, invokingAll, invokingOutput, type NativeFetch, type NativeFetchAll, type NativeFetchOutput } from "./invoke";

type NativeFunctions = typeof functions;

/** Names of the functions that have a variant for outputs, and the names of these variants (`…Output`). */
type Name = {
  [N in keyof NativeFunctions]: `${N}Output` extends keyof NativeFunctions ? N | `${N}Output` : never;
}[keyof NativeFunctions];

/** Functions that call the native plugin. Each function keeps the documentation of the function that it replaces. */
type OverPlugin<F> = {
  [N in keyof F]: F[N] extends FetchAll<infer A, infer R>
    ? NativeFetchAll<A, R>
    : F[N] extends Fetch<infer A, infer R>
      ? NativeFetch<A, R>
      : F[N] extends FetchOutput<infer A, infer R>
        ? NativeFetchOutput<A, R>
        : never;
};

function overPlugin(): OverPlugin<Pick<NativeFunctions, Name>> {
  const native: Record<string, unknown> = {};
  for (const [name, fetch] of Object.entries(functions)) {
    if (!Object.hasOwn(functions, `${name}Output`)) continue;
    native[name] = "pages" in fetch ? invokingAll(name) : invoking(name);
    native[`${name}Output`] = invokingOutput(name, outputFormOf(fetch));
  }
  // The cast is safe, because the loop adds exactly the properties in `Name`.
  return native as OverPlugin<Pick<NativeFunctions, Name>>;
}

const native = overPlugin();
// The module exports one object, because editors then show the documentation of each function. Separate exported variables
// would need a copy of the documentation.
export = native;
