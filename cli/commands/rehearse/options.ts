import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  stack: stackOption("rehearse"),
  keep: { type: "boolean", help: "Keep the emulator with the copied account running until you press Ctrl+C" },
  licenses: {
    type: "string",
    value: "TYPE=N",
    help: "Number of licenses of each type, comma-separated (default: no limit). The API does not return the number of licenses",
  },
  "unique-test-names": {
    type: "boolean",
    help: "Reject a test with the same name and type as an existing test. The API does not show whether the account rejects duplicate tests",
  },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type RehearseValues = Values<typeof options>;

export const rehearse = defineCommand({
  name: "rehearse",
  summary: "Run a Pulumi update on a copy of the account",
  about: "Runs `pulumi up` on a copy of the account, and reports the effects.",
  examples: ["{} rehearse --stack prod --markdown rehearsal.md"],
  details: `\`rehearse\` copies the account's labels, tags, tests, agents and account groups into an emulator in memory. \`rehearse\` also copies the stack's state into a backend in a private folder. Then \`rehearse\` runs the real \`pulumi up\` on the copy, with this project's engine, program and provider.

The report lists the failures with their error messages, the number of requests, and the estimated duration under the account's rate limit. For each test, the report shows the agents before and after the update. The report also counts the agents that cannot run a test because their license allows no more tests. Finally, the report shows the effects of a second \`pulumi up\`, and of \`pulumi destroy\` for the new resources.

At the end, \`rehearse\` deletes the copy. \`rehearse\` only reads from the service, and needs at most 20 requests for an account with 1,000 records. The engine receives neither the base URL nor the credentials of the service. Secrets stay in memory, or are encrypted with a key that stays in memory.

Your program's side effects still happen. Resources of other Pulumi providers do not change.`,
  options,
  exitCodes: { 2: "part of the update would fail, or a second update would change resources" },
});
