import { defineCommand } from "../../command/command";

export const version = defineCommand({
  name: "version",
  summary: "Print the version of this package",
  about: "Prints the version of this package. The options --version and -v also print the version.",
  examples: ["{} version"],
  options: {},
  json: "{ version }",
});
