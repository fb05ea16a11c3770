import * as pulumi from "../pulumi";
import { outputForm } from "../functions/define";
import type { Given, OutputOptions, OutputForm } from "../functions/fetch";
import { nativeToken } from "../token";
import type { DeepInput } from "../types";
import { checkPlugin } from "./plugin-check";

/** A function of the native plugin. It works in a program that the engine runs, and takes a provider with settings of its own. */
export interface NativeFetch<A, R> {
  (...params: [...args: Given<A>, options?: pulumi.InvokeOptions]): Promise<R>;
}

/** A function of the native plugin whose answer comes in pages. */
export interface NativeFetchAll<A, R> extends NativeFetch<A, R[]> {
  /**
   * The same page by page, `max` rows each. The plugin answers once, so all rows are asked for before the first page, or at most
   * `limit`.
   */
  pages(...params: [...args: Given<A>, options?: pulumi.InvokeOptions]): AsyncIterable<R[]>;
}

/** The form of a function that takes outputs of resources, and gives an output. */
export interface NativeFetchOutput<A, R> {
  (...params: [...args: Given<A, DeepInput<A>>, options?: NativeOutputOptions]): pulumi.Output<R>;
}

/** Options of the form of a function that gives an output. */
export interface NativeOutputOptions extends OutputOptions, pulumi.InvokeOptions {}

/** Declares a function of the plugin. */
export function invoking<A, R>(name: string): NativeFetch<A, R> {
  return async (...params) => {
    // With or without required arguments: what follows holds for both.
    const [args, options] = params as unknown as [args?: object, options?: pulumi.InvokeOptions];
    const [result] = await answerOf<R>(name, args, options);
    if (result !== undefined) return result;
    throw runError(`${name}: the settings of its provider are known after the update only. Use ${name}Output instead.`);
  };
}

/** Declares a function of the plugin whose answer comes in pages. */
export function invokingAll<A extends object, R>(name: string): NativeFetchAll<A, R> {
  const whole = invoking<A, R[]>(name);
  async function* pages(...params: Parameters<typeof whole>): AsyncGenerator<R[]> {
    const rows = await whole(...params);
    // As above. Without a size of pages there is one.
    const [{ max = Infinity } = {}] = params as unknown as [args?: { max?: number }];
    for (let start = 0; start === 0 || start < rows.length; start += Math.max(1, max)) yield rows.slice(start, start + max);
  }
  return Object.assign(whole, { pages });
}

/** Declares the form of a function that gives an output. */
export function invokingOutput<A, R>(name: string, form: OutputForm): NativeFetchOutput<A, R> {
  return (...params) => {
    // As above.
    const [args, { dependsOn, ...options } = {}] = params as unknown as [args?: object, options?: NativeOutputOptions];
    const ask = async (known?: object): Promise<R> => {
      const [result] = await answerOf<R>(name, known, options);
      // Unknown is in no type of Pulumi's.
      return result ?? (pulumi.unknown as unknown as R);
    };
    return outputForm<object, R>(ask, form)(args, { dependsOn });
  };
}

/** Returns the plugin's answer; nothing while the settings of the provider are unknown. An answer may be a list, so it is a member. */
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

/** An error for users: Pulumi prints the message alone. Once the program has come to its end, it prints the stack, too. */
function runError(message: string): Error {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
