import { defineCommand } from "../../command/command";

export const version = defineCommand({
  name: "version",
  summary: "Print the version of this package",
  about: "Prints the version of this package, as --version and -v do.",
  examples: ["{} version"],
  options: {},
  json: "{ version }",
});
