import * as pulumi from "@pulumi/pulumi";
import type { Given } from "../functions/fetch";
import { nativeToken } from "../token";
import type { DeepInput } from "../types";
import { checkPlugin } from "./plugin-check";

/** A function of the native plugin. It works in a program that the engine runs, and takes a provider with settings of its own. */
export interface NativeFetch<A, R> {
  (...given: [...given: Given<A>, options?: pulumi.InvokeOptions]): Promise<R>;
}

/** The form of a function that takes outputs of resources, and gives an output. */
export interface NativeFetchOutput<A, R> {
  (...given: [...given: Given<A, DeepInput<A>>, options?: pulumi.InvokeOutputOptions]): pulumi.Output<R>;
}

/** What the plugin returns: a function's answer may be a list, and an invoke returns an object. */
interface Answer<R> {
  result: R;
}

/** Declares a function of the plugin. */
export function invoking<A, R>(name: string): NativeFetch<A, R> {
  return async (...given) => {
    checkPlugin(name);
    // With or without required arguments: what follows holds for both.
    const [args = {}, options] = given as unknown as [args?: pulumi.Inputs, options?: pulumi.InvokeOptions];
    const { result } = (await pulumi.runtime.invoke(nativeToken(name), args, options ?? {})) as Answer<R>;
    return result;
  };
}

/** Declares the form of a function that gives an output. @param plain replaces resources in the arguments */
export function invokingOutput<A, R>(name: string, plain = (args: object): object => args): NativeFetchOutput<A, R> {
  return (...given) => {
    checkPlugin(name);
    // As above.
    const [args = {}, options] = given as unknown as [args?: object, options?: pulumi.InvokeOutputOptions];
    const answer = pulumi.runtime.invokeOutput<Answer<R>>(nativeToken(name), plain(args), options ?? {});
    return answer.apply(({ result }) => result);
  };
}
