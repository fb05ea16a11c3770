import * as pulumi from "../pulumi";
import { outputForm } from "../functions/define";
import type { Given, OutputOptions, OutputForm } from "../functions/fetch";
import { nativeToken } from "../token";
import type { DeepInput } from "../types";
import { checkPlugin } from "./plugin-check";

/**
 * A function of the native plugin. It works in a program that the engine runs, and accepts a provider with its own settings.
 */
export interface NativeFetch<A, R> {
  (...params: [...args: Given<A>, options?: pulumi.InvokeOptions]): Promise<R>;
}

/** A function of the native plugin that reads pages. */
export interface NativeFetchAll<A, R> extends NativeFetch<A, R[]> {
  /**
   * Returns the same rows in pages of `max` rows. The plugin answers once, so all rows up to `limit` are requested before the
   * first page.
   */
  pages(...params: [...args: Given<A>, options?: pulumi.InvokeOptions]): AsyncIterable<R[]>;
}

/** The form of a function that accepts outputs of resources and returns an output. */
export interface NativeFetchOutput<A, R> {
  (...params: [...args: Given<A, DeepInput<A>>, options?: NativeOutputOptions]): pulumi.Output<R>;
}

/** Options of a function's output form. */
export interface NativeOutputOptions extends OutputOptions, pulumi.InvokeOptions {}

/** Declares a function of the plugin. */
export function invoking<A, R>(name: string): NativeFetch<A, R> {
  return async (...params) => {
    // The arguments may be optional or required. The code below works in both cases.
    const [args, options] = params as unknown as [args?: object, options?: pulumi.InvokeOptions];
    const [result] = await answerOf<R>(name, args, options);
    if (result !== undefined) return result;
    throw runError(`${name}: the settings of its provider are known only after the update. Use ${name}Output instead.`);
  };
}

/** Declares a function of the plugin that reads pages. */
export function invokingAll<A extends object, R>(name: string): NativeFetchAll<A, R> {
  const whole = invoking<A, R[]>(name);
  async function* pages(...params: Parameters<typeof whole>): AsyncGenerator<R[]> {
    const rows = await whole(...params);
    // As above. Without a page size, there is one page.
    const [{ max = Infinity } = {}] = params as unknown as [args?: { max?: number }];
    for (let start = 0; start === 0 || start < rows.length; start += Math.max(1, max)) yield rows.slice(start, start + max);
  }
  return Object.assign(whole, { pages });
}

/** Declares the output form of a function. */
export function invokingOutput<A, R>(name: string, form: OutputForm): NativeFetchOutput<A, R> {
  return (...params) => {
    // As above.
    const [args, { dependsOn, ...options } = {}] = params as unknown as [args?: object, options?: NativeOutputOptions];
    const ask = async (known?: object): Promise<R> => {
      const [result] = await answerOf<R>(name, known, options);
      // No type of Pulumi includes its unknown value.
      return result ?? (pulumi.unknown as unknown as R);
    };
    return outputForm<object, R>(ask, form)(args, { dependsOn });
  };
}

/**
 * Returns the plugin's answer; undefined while the provider's settings are unknown. The answer is in a member, since it may be
 * a list.
 */
async function answerOf<R>(name: string, args: object = {}, options: pulumi.InvokeOptions = {}): Promise<[R | undefined]> {
  checkPlugin(name);
  try {
    const answer = (await pulumi.invoke(nativeToken(name), args, options)) as { result?: R } | undefined;
    return [answer?.result];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw runError(error.message.replace(/^invocation of \S+ returned an error: /, ""));
  }
}

/**
 * Returns an error for users: Pulumi prints its message without the stack. After the program has ended, Pulumi prints the
 * stack as well.
 */
function runError(message: string): Error {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
