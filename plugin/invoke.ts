import type { SettingName } from "../api";
import { type Properties, hasUnknown } from "../provider/values";
import { nameInNativeToken } from "../sdk/token";
import { argumentsOf } from "./schema";
import { RefusedRequestError, UnknownTokenError } from "./token";

/** The answer of a function, and whether it is a secret whatever the arguments are. */
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
  // Loaded on the first call, with Pulumi's SDK: most operations call no function.
  const functions = require("../sdk/functions") as PluginFunctions;
  const { readSettingsFrom } = require("../sdk/functions/session") as typeof import("../sdk/functions/session");
  const { isSecretAnswer } = require("../sdk/functions/define") as typeof import("../sdk/functions/define");
  const name = nameInNativeToken(token) ?? "";
  const callable = functionNames(functions);
  if (!callable.includes(name)) throw new UnknownTokenError(token, "function", callable);
  const known = argumentsOf(token);
  // The engine sends no unknown value. One that arrives anyway must not be looked for in the service.
  const problems = Object.entries(args).flatMap(([argument, value]) => {
    if (!known.includes(argument)) return [`${argument}: there is no such argument`];
    return hasUnknown(value) ? [`${argument}: its value is not known yet`] : [];
  });
  if (problems.length > 0)
    throw new RefusedRequestError(`${name}: ${problems.join("; ")}. It takes ${known.join(", ") || "none"}.`);
  readSettingsFrom(setting);
  // Every function takes one object of arguments, which it checks itself.
  const call = functions[name as keyof PluginFunctions] as (args: Properties) => Promise<unknown>;
  return { value: await call(args), secret: isSecretAnswer(call) };
}

/**
 * Names of the functions that the engine may call: those with a form that gives an output. A function without one changes something
 * whenever it is called, and the engine calls functions in previews, too.
 */
export function functionNames(functions: object): string[] {
  const names = Object.keys(functions);
  return names.filter((name) => names.includes(`${name}Output`));
}
