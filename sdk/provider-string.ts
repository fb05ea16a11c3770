import * as pulumi from "./pulumi";
import { createRequire } from "node:module";
import { join } from "node:path";
import { providerString, searchingProviderString } from "./token";

/**
 * Returns the provider string of a resource. If the program marks an argument that is not in `secrets` as secret, the string
 * selects a provider that omits values from its messages.
 *
 * @param name name of the resource class
 * @param secrets arguments that are always secret
 */
export function providerOf(name: string, secrets: readonly string[], args: object): pulumi.Input<string> {
  const string = isInProgramFolder() ? providerString : searchingProviderString;
  const others = Object.fromEntries(Object.entries(args).filter(([property]) => !secrets.includes(property)));
  if (!holdsOutput(others)) return string(name);
  return pulumi.output(pulumi.isSecret(pulumi.output(others)).then((secret) => string(name, secret)));
}

function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsOutput);
}

let inProgramFolder: boolean | undefined;

/**
 * Whether Node finds this package from the program's folder. With pnpm and `npm --install-strategy=linked`, Node finds a
 * package only if it is a direct dependency of the program.
 */
function isInProgramFolder(): boolean {
  return (inProgramFolder ??= canResolve(join(process.cwd(), "_.js")));
}

function canResolve(from: string): boolean {
  try {
    createRequire(from).resolve("pulumi-endpoint-monitoring/provider");
    return true;
  } catch {
    return false;
  }
}
