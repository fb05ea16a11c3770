import type { SettingName } from "../api";
import { type Properties, hasUnknown } from "../provider/values";
import { nameInNativeToken } from "../sdk/token";
import { argumentsOf } from "./schema";
import { RefusedRequestError, UnknownTokenError } from "./token";

/** The result of an SDK function. `secret` is true if the result is always a secret. */
export interface Invoked {
  value: unknown;
  secret: boolean;
}

type PluginFunctions = typeof import("../sdk/functions");

/**
 * Calls an SDK function with the settings of a provider.
 *
 * @throws UnknownTokenError, RefusedRequestError for an unknown argument or value, or the function's own error
 */
export async function invoke(
  token: string,
  args: Properties,
  setting: (name: SettingName) => string | undefined,
): Promise<Invoked> {
  // The SDK functions are loaded on demand, because most operations need neither these functions nor Pulumi's SDK.
  const functions = require("../sdk/functions") as PluginFunctions;
  const { readSettingsFrom } = require("../sdk/functions/session") as typeof import("../sdk/functions/session");
  const { isSecretAnswer } = require("../sdk/functions/define") as typeof import("../sdk/functions/define");
  const name = nameInNativeToken(token) ?? "";
  const callable = functionNames(functions);
  if (!callable.includes(name)) throw new UnknownTokenError(token, "function", callable);
  const known = argumentsOf(token);
  // The engine normally sends no unknown values, but the provider must never send the placeholder of an unknown value to the
  // service.
  const problems = Object.entries(args).flatMap(([argument, value]) => {
    if (!known.includes(argument)) return [`${argument}: unknown argument`];
    return hasUnknown(value) ? [`${argument}: its value is not known yet`] : [];
  });
  if (problems.length > 0)
    throw new RefusedRequestError(`${name}: ${problems.join("; ")}. It takes ${known.join(", ") || "none"}.`);
  readSettingsFrom(setting);
  const call = functions[name as keyof PluginFunctions] as (args: Properties) => Promise<unknown>;
  return { value: await call(args), secret: isSecretAnswer(call) };
}

/**
 * Returns the names of the functions that have an `...Output` variant. A function without an `...Output` variant makes changes, so previews
 * must not call such a function.
 */
export function functionNames(functions: object): string[] {
  const names = Object.keys(functions);
  return names.filter((name) => names.includes(`${name}Output`));
}
