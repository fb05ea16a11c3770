import type { SettingName } from "../api";
import { type Properties, hasUnknown } from "../provider/values";
import { nameInNativeToken } from "../sdk/token";
import { argumentsOf } from "./schema";
import { RefusedRequestError, UnknownTokenError } from "./token";

/** The result of a function, and whether the result is a secret for all arguments. */
export interface Invoked {
  value: unknown;
  secret: boolean;
}

type PluginFunctions = typeof import("../sdk/functions");

/**
 * Calls a function of the sdk with the settings of a provider.
 *
 * @throws UnknownTokenError, RefusedRequestError for an argument that the function does not take or that is unknown, and the errors of the function
 */
export async function invoke(
  token: string,
  args: Properties,
  setting: (name: SettingName) => string | undefined,
): Promise<Invoked> {
  // The first call loads this module, because it loads Pulumi's SDK, and most operations call no function.
  const functions = require("../sdk/functions") as PluginFunctions;
  const { readSettingsFrom } = require("../sdk/functions/session") as typeof import("../sdk/functions/session");
  const { isSecretAnswer } = require("../sdk/functions/define") as typeof import("../sdk/functions/define");
  const name = nameInNativeToken(token) ?? "";
  const callable = functionNames(functions);
  if (!callable.includes(name)) throw new UnknownTokenError(token, "function", callable);
  const known = argumentsOf(token);
  // The engine sends no unknown values. If one arrives anyway, it must not be sent to the service.
  const problems = Object.entries(args).flatMap(([argument, value]) => {
    if (!known.includes(argument)) return [`${argument}: unknown argument`];
    return hasUnknown(value) ? [`${argument}: its value is not known yet`] : [];
  });
  if (problems.length > 0)
    throw new RefusedRequestError(`${name}: ${problems.join("; ")}. It takes ${known.join(", ") || "none"}.`);
  readSettingsFrom(setting);
  // Every function has one parameter, an object of arguments, and checks it itself.
  const call = functions[name as keyof PluginFunctions] as (args: Properties) => Promise<unknown>;
  return { value: await call(args), secret: isSecretAnswer(call) };
}

/**
 * Returns the names of the functions that the engine may call: those with an `...Output` form. The engine also calls functions
 * in previews, and each call of a function without that form changes something.
 */
export function functionNames(functions: object): string[] {
  const names = Object.keys(functions);
  return names.filter((name) => names.includes(`${name}Output`));
}
