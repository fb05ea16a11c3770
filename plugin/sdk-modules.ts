import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The SDK is installed neither next to this package nor for the program. */
export class MissingSdkError extends Error {}

/**
 * Returns a function that loads modules of `@pulumi/pulumi`. It uses the SDK next to this package, or the program's SDK if this
 * package is linked. It loads the SDK's dependencies from the SDK's folder, because a package manager may install them only
 * there. Release archives replace this file by `tools/release/sdk-modules.cjs`, which contains these modules.
 *
 * @throws MissingSdkError
 */
export function sdkModules(programFolder: string): (name: string) => unknown {
  for (const from of [__filename, join(programFolder, "_.js")]) {
    try {
      return createRequire(join(dirname(createRequire(from).resolve("@pulumi/pulumi/package.json")), "_.js"));
    } catch {
      // The SDK is not in this folder. The next folder may contain it.
    }
  }
  throw new MissingSdkError(
    `The Pulumi SDK (@pulumi/pulumi) is installed neither next to the endpoint-monitoring plugin nor in ${programFolder}. ` +
      "Run npm install there.",
  );
}
