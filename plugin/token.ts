import type { Kind } from "../provider/kind";
import { isKindName, registry } from "../provider/registry";
import { exportName, nameInNativeToken, packageName } from "../sdk/token";

/** Error for an invalid request that the provider refuses. */
export class RefusedRequestError extends Error {}

/** Error for a request that names a resource or function that this version of the package lacks. */
export class UnknownTokenError extends RefusedRequestError {
  constructor(token: string, what: "resource" | "function", names: readonly string[]) {
    super(`This version of the ${packageName} plugin has no ${what} ${token}. Expected: ${names.join(", ")}.`);
  }
}

/** @throws UnknownTokenError */
export function kindOfToken(token: string): Kind {
  const name = exportName(nameInNativeToken(token) ?? "");
  if (isKindName(name)) return registry[name];
  const names = Object.values(registry).map((kind) => kind.name);
  throw new UnknownTokenError(token, "resource", names);
}
