import type { OptionSpecs } from "../command";

export const rehearseOptions = {
  stack: { type: "string" },
  keep: { type: "boolean" },
  port: { type: "string" },
  licenses: { type: "string" },
  "unique-test-names": { type: "boolean" },
  markdown: { type: "string", names: "file" },
} as const satisfies OptionSpecs;

export const help = `Runs the program's \`pulumi up\` on a copy of the account, and reports what would happen.

Usage: endpoint-monitoring rehearse [OPTIONS]

It copies labels, tags, tests, agents and account groups of the stack's account into an emulator in memory, and the stack's state
into a backend in a private folder, and runs the real \`pulumi up\` there: with the program, the engine and the provider of this
project. It reports
  - what would fail, and with which message
  - how many requests the update takes, and how long it takes under the account's rate limit
  - which agents run which tests, before and after, and where licenses have no room
  - what a second \`pulumi up\` would still change, and what a \`pulumi destroy\` of the new resources would do
Then it deletes the copy. The service gets reads alone, at most 20 for an account of 1,000 records; the engine gets neither the
address nor the credentials of the service. Secrets are in memory, or encrypted with a key that is.

The program runs as in every \`pulumi up\`: what it does beside declaring resources, it does. Resources of other providers are not
touched.

Options:
  --stack NAME         Stack to rehearse (default: the selected one, or the only one)
  --keep               Leave the page of the copy open afterwards, until Ctrl+C
  --port N             Port of that page (default: a free one)
  --licenses TYPE=N    Licenses of the organization, which reads do not tell, several with commas between (default: enough)
  --unique-test-names  The account refuses a second test of a kind with the same name, which reads do not tell
  --markdown FILE      Write the report as Markdown too; - prints it instead of the text. One line when all is well
  --json               Print the report as one JSON object
  --help               This text

Example:
  endpoint-monitoring rehearse --stack prod --markdown rehearsal.md

Exit codes: 0 all is well, 2 something would fail, or a second update would change something, 1 it could not be rehearsed, 130
interrupted.
`;
