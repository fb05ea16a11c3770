import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  stack: stackOption("rehearse"),
  keep: { type: "boolean", help: "Keep the copy and its web page until Ctrl+C" },
  licenses: {
    type: "string",
    value: "TYPE=N",
    help: "Number of licenses of each type, which the API does not return; comma-separated (default: no limit)",
  },
  "unique-test-names": {
    type: "boolean",
    help: "Refuse a second test of the same type and name. The API does not return whether the account does so",
  },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type RehearseValues = Values<typeof options>;

export const rehearse = defineCommand({
  name: "rehearse",
  summary: "Run the update on a copy of the account",
  about: "Runs the program's `pulumi up` on a copy of the account, and reports what would happen.",
  examples: ["{} rehearse --stack prod --markdown rehearsal.md"],
  details: `Copies the account's labels, tags, tests, agents and account groups into an emulator in memory, and the stack's state into a backend in a private folder. Then it runs the real \`pulumi up\` there, with the engine, the program and the provider of this project. It reports
  - failures, with their messages
  - the number of requests, and the duration under the account's rate limit
  - the agents of each test before and after, and the tests that agents cannot run because their license is full
  - what a second \`pulumi up\` and a \`pulumi destroy\` of the new resources would do
Then it deletes the copy. It only reads from the service: at most 20 requests for an account of 1,000 records. The engine gets neither the base URL nor the credentials of the service. Secrets stay in memory, or encrypted with a key that stays in memory.

Your program's side effects still happen. Resources of other providers do not change.`,
  options,
  exitCodes: { 2: "a part of the update would fail, or a second update would change resources" },
});
