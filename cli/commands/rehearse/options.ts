import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  stack: stackOption("rehearse"),
  keep: { type: "boolean", help: "Leave the page of the copy open afterwards, until Ctrl+C" },
  port: { type: "string", value: "N", help: "Port of that page (default: a free one)" },
  licenses: {
    type: "string",
    value: "TYPE=N",
    help: "Licenses of the organization, which reads do not tell, several with commas between (default: enough)",
  },
  "unique-test-names": {
    type: "boolean",
    help: "The account refuses a second test of a kind with the same name, which reads do not tell",
  },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type RehearseValues = Values<typeof options>;

export const rehearse = defineCommand({
  name: "rehearse",
  summary: "Run the update on a copy of the account",
  about: "Runs the program's `pulumi up` on a copy of the account, and reports what would happen.",
  examples: ["{} rehearse --stack prod --markdown rehearsal.md"],
  details: `It copies labels, tags, tests, agents and account groups of the stack's account into an emulator in memory, and the stack's state into a backend in a private folder, and runs the real \`pulumi up\` there: with the program, the engine and the provider of this project. It reports
  - what would fail, and with which message
  - how many requests the update takes, and how long it takes under the account's rate limit
  - which agents run which tests, before and after, and where licenses have no room
  - what a second \`pulumi up\` would still change, and what a \`pulumi destroy\` of the new resources would do
Then it deletes the copy. The service gets reads alone, at most 20 for an account of 1,000 records; the engine gets neither the address nor the credentials of the service. Secrets are in memory, or encrypted with a key that is.

The program runs as in every \`pulumi up\`: what it does beside declaring resources, it does. Resources of other providers are not touched.`,
  options,
  exitCodes: { 2: "the update would fail in part, or a second update would change resources" },
});
