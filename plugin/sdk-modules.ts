import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export class MissingSdkError extends Error {}

/**
 * Returns a function that loads modules of `@pulumi/pulumi` and of its dependencies. A copy of Pulumi's SDK next to this
 * package takes precedence over the program's copy. In release archives, `tools/release/sdk-modules.cjs` replaces
 * `plugin/sdk-modules.ts`.
 *
 * @throws MissingSdkError
 */
export function sdkModules(programFolder: string): (name: string) => unknown {
  for (const from of [__filename, join(programFolder, "_.js")]) {
    try {
      return createRequire(join(dirname(createRequire(from).resolve("@pulumi/pulumi/package.json")), "_.js"));
    } catch {
      // If a folder does not contain the SDK, the loop continues with the next folder.
    }
  }
  throw new MissingSdkError(
    `The Pulumi SDK (@pulumi/pulumi) is not installed next to the endpoint-monitoring plugin or in ${programFolder}. ` +
      "Run `npm install` in the program's folder.",
  );
}
