import * as pulumi from "../pulumi";
import { outputForm } from "../functions/define";
import type { FunctionParameters, OutputOptions, OutputForm } from "../functions/fetch";
import { nativeToken } from "../token";
import type { DeepInput } from "../types";
import { checkPlugin } from "./plugin-check";

/**
 * A function of the native plugin. Only a program that the Pulumi engine runs can call a function of the native plugin. The
 * option `provider` selects a provider with its own settings.
 */
export interface NativeFetch<A, R> {
  (...params: [...args: FunctionParameters<A>, options?: pulumi.InvokeOptions]): Promise<R>;
}

/** A function of the native plugin that reads rows from several pages. */
export interface NativeFetchAll<A, R> extends NativeFetch<A, R[]> {
  /**
   * Returns the rows in pages of `max` rows. The plugin requests all rows up to `limit` before `pages` returns the first page.
   */
  pages(...params: [...args: FunctionParameters<A>, options?: pulumi.InvokeOptions]): AsyncIterable<R[]>;
}

/** A function of the native plugin that accepts outputs of resources as arguments and returns an output. */
export interface NativeFetchOutput<A, R> {
  (...params: [...args: FunctionParameters<A, DeepInput<A>>, options?: NativeOutputOptions]): pulumi.Output<R>;
}

/** Options of a function of the native plugin that returns an output. */
export interface NativeOutputOptions extends OutputOptions, pulumi.InvokeOptions {}

export function invoking<A, R>(name: string): NativeFetch<A, R> {
  return async (...params) => {
    // The compiler cannot infer the elements of `params`, because only some functions require arguments.
    const [args, options] = params as unknown as [args?: object, options?: pulumi.InvokeOptions];
    const [result] = await answerOf<R>(name, args, options);
    if (result !== undefined) return result;
    throw runError(`${name}: the settings of its provider are known only after the update. Use ${name}Output instead.`);
  };
}

export function invokingAll<A extends object, R>(name: string): NativeFetchAll<A, R> {
  const whole = invoking<A, R[]>(name);
  async function* pages(...params: Parameters<typeof whole>): AsyncGenerator<R[]> {
    const rows = await whole(...params);
    // If `max` is omitted, one page contains all rows.
    const [{ max = Infinity } = {}] = params as unknown as [args?: { max?: number }];
    for (let start = 0; start === 0 || start < rows.length; start += Math.max(1, max)) yield rows.slice(start, start + max);
  }
  return Object.assign(whole, { pages });
}

export function invokingOutput<A, R>(name: string, form: OutputForm): NativeFetchOutput<A, R> {
  return (...params) => {
    const [args, { dependsOn, ...options } = {}] = params as unknown as [args?: object, options?: NativeOutputOptions];
    const ask = async (known?: object): Promise<R> => {
      const [result] = await answerOf<R>(name, known, options);
      // Pulumi accepts `pulumi.unknown` as the value of any output, but Pulumi's type declarations do not.
      return result ?? (pulumi.unknown as unknown as R);
    };
    return outputForm<object, R>(ask, form)(args, { dependsOn });
  };
}

/**
 * Returns an array with the plugin's response as its only item. The item is undefined if the provider's settings are unknown
 * until the update.
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
 * Returns an error that Pulumi prints without a stack trace. The message replaces the stack, because Pulumi also prints the
 * stack of a RunError after the program has ended.
 */
function runError(message: string): Error {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
