/** The page of Pulumi's resource options and commands: what becomes of each on both fronts, from the table that tests on the engine show. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
require("../../test/setup/typescript.cjs");
const { engineCommands, resourceOptions } = require("../../test/support/conformance.ts");

const verdicts = { works: "works", warning: "no effect, with a warning", refused: "refused, with a message" };

/** @param {{ table: (head: string[], rows: string[][]) => string, generated: string }} of */
export function optionsPage({ table, generated }) {
  const rows = (all) =>
    all.map(({ name, dynamic, native, note = "" }) => [`\`${name}\``, verdicts[dynamic], verdicts[native], note]);
  const head = (first) => [first, "Dynamic resources", "Native plugin", "To know"];
  return `${generated}

# Options and commands of Pulumi

Look up whether a resource option or a command of Pulumi works with dynamic resources and with the [native plugin](native.md). Tests on the engine show
each row: after every step they compare the records of the service with the state and with the engine's event log. Others show each option
with each command, for each kind of record, on a model of the engine.

## Resource options

${table(head("Option"), rows(resourceOptions))}

## Commands

${table(head("Command"), rows(engineCommands))}
`;
}
