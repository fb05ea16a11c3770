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
  declared form in the state. For any other, the error has the property and both values.
  Later updates accept the pair ([Values in another form](values.md)).
- A write that is answered with 2xx and no record is followed by reads until the record is as declared: of a create for 60 s
  (\`createOutcomeTimeout\`), of an update for 15 s (a quarter of it), or for \`readLag\` if that is more.
- Reads may lag behind writes for 120 s (\`readLag\`). A record that the stack created, adopted or updated within that time counts neither as
  deleted nor as changed. \`pulumi refresh\` keeps it in state with a line that names it. \`drift\` lists it as too recent to judge. An update
  or a deletion that is answered with 404 is repeated until the record is old enough. After that time, the next refresh finds real changes.
- A record that a list shows and a get does not is waited for, up to \`readLag\`. A create neither adopts nor reports it.
- A create that is answered with 409 may conflict with a record that no list shows yet. The create lists until \`readLag\` has passed, then adopts or
  reports the record.
- A list that is answered with 404, 204, \`null\` or no records is empty to a create only. Other readers report a failure to read.
- A missing record may be answered with 400, 500, 204 or \`null\`. It counts as deleted if a complete list has other records, and a get of
  one of them succeeds. Otherwise the message has the command that removes the resource from state.

The emulator can answer as a service that differs from it, in any of ${count} ways,
alone or together:

\`\`\`sh
npx endpoint-monitoring emulator --as trim-names,lag=3s,gzip,strict-404
\`\`\`

\`POST /_emulator/as\` with \`{ "as": ["gzip"] }\` changes them while the emulator runs, and \`GET /_emulator/as\` lists them.

${groups.map((group) => `## ${group.title}\n\n${table(["Name", "What such a service does", "Between which facts", "The provider"], rows(group))}`).join("\n\n")}
`;
}
