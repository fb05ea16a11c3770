import { defineCommand } from "../command/command";

export const version = defineCommand({
  name: "version",
  summary: "Print the version of this package",
  about: "Prints the version of this package, as --version and -v do.",
  examples: ["{} version"],
  options: {},
  json: "{ version }",
  run: async (_given, out) => {
    const { ownManifest } = require("../../api/manifest") as typeof import("../../api/manifest");
    const own = ownManifest();
    out.result({ version: own.version }, own.version);
    return 0;
  },
});
