/** The page of differences that a service may have, and what the provider does with each. */

/**
 * @param {readonly { title: string, differences: readonly { name: string, changes: string, between: string, takesTime?: true, provider: string | { fails: string } }[] }[]} groups
 */
export function serviceDifferencesPage(groups, { generated, table }) {
  const all = groups.flatMap(({ differences }) => differences);
  const count = all.length;
  const borne = all.filter(({ provider }) => provider === "works").length;
  const rows = ({ differences }) =>
    differences.map(({ name, changes, between, takesTime, provider }) => [
      `\`${name}${takesTime ? "=3s" : ""}\``,
      `${changes[0].toUpperCase()}${changes.slice(1)}`,
      between,
      provider === "works" ? "works" : `fails: "${provider.fails}"`,
    ]);
  return `${generated}

# Differences of a service

See which variations of the API the provider works with, and how it fails with the others. The behavior of the service is public only in part. The provider works with ${borne} of the
${count} differences below. With the ${count - borne} others it fails with a message that names the cause; the last column has words of it. Tests hold
these rows to that: create, an update without a change, refresh, update, replace and destroy. Nothing is created twice or left behind, no
difference is perpetual, and once the service no longer differs, a refresh and a destroy succeed.

- What no resource depends on is ignored if it is not readable; the debug log and \`check\` name it.
- A value that is normalized in a known way (space around text, Unicode form, case of hosts, agents cut to a documented bound) keeps its
  declared form in the state. For any other, the error has the property, the sent and the returned value, and what to declare.
- A write that is answered with 2xx and no record is followed by reads until the record is as declared: of a create for 60 s
  (\`createOutcomeTimeout\`), of an update for 15 s (a quarter of it).
- A record that the stack created less than 60 s ago (\`createOutcomeTimeout\`), and that the service does not show, is looked for again after
  5 s (a twelfth) before it counts as deleted. A line in the output names the record and the wait.
- A list may show a deleted record for 5 s (a twelfth of \`createOutcomeTimeout\`) before a deletion that the service did not confirm fails.

The emulator can answer as a service that differs from it, in any of ${count} ways,
alone or together:

\`\`\`sh
npx endpoint-monitoring emulator --as trim-names,lag=3s,gzip,strict-404
\`\`\`

\`POST /_emulator/as\` with \`{ "as": ["gzip"] }\` changes them while the emulator runs, and \`GET /_emulator/as\` lists them.

${groups.map((group) => `## ${group.title}\n\n${table(["Name", "What such a service does", "Between which facts", "The provider"], rows(group))}`).join("\n\n")}
`;
}
