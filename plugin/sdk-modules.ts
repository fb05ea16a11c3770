import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The SDK is not installed beside this package, nor for the program. */
export class MissingSdkError extends Error {}

/**
 * Returns what loads modules of the `@pulumi/pulumi` beside this package, else of the program's: a linked package has none beside it. What
 * that package depends on itself is loaded from where it is, since package managers need not hoist it. The archives of a release have
 * another module in this place, which holds these modules itself (`tools/release/sdk-modules.cjs`).
 *
 * @throws MissingSdkError
 */
export function sdkModules(programFolder: string): (name: string) => unknown {
  for (const from of [__filename, join(programFolder, "_.js")]) {
    try {
      return createRequire(join(dirname(createRequire(from).resolve("@pulumi/pulumi/package.json")), "_.js"));
    } catch {
      // Not there: the next place.
    }
  }
  throw new MissingSdkError(
    `The Pulumi SDK (@pulumi/pulumi) is installed neither beside the endpoint-monitoring plugin nor in ${programFolder}. ` +
      "Run npm install there.",
  );
}
