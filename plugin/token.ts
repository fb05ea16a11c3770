import type { Kind } from "../provider/kind";
import { isKindName, registry } from "../provider/registry";
import { exportName, nameInNativeToken, packageName } from "../sdk/token";

/** The provider can never carry out this request, whatever the service answers. */
export class RefusedRequestError extends Error {}

/** No resource or function of this version has the token. */
export class UnknownTokenError extends RefusedRequestError {
  constructor(token: string, what: "resource" | "function", names: readonly string[]) {
    super(`This version of the ${packageName} plugin has no ${what} ${token}. Expected: ${names.join(", ")}.`);
  }
}

/** Returns the kind of a type token. @throws UnknownTokenError */
export function kindOfToken(token: string): Kind {
  const name = exportName(nameInNativeToken(token) ?? "");
  if (isKindName(name)) return registry[name];
  const names = Object.values(registry).map((kind) => kind.name);
  throw new UnknownTokenError(token, "resource", names);
}
