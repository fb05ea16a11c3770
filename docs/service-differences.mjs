/** The page of differences that a service may have, and what the provider does with each. */

/**
 * @param {readonly { title: string, differences: readonly { name: string, changes: string, between: string, takesTime?: true }[] }[]} groups
 */
export function serviceDifferencesPage(groups, { generated, table }) {
  const count = groups.reduce((sum, { differences }) => sum + differences.length, 0);
  const rows = ({ differences }) =>
    differences.map(({ name, changes, between, takesTime }) => [
      `\`${name}${takesTime ? "=3s" : ""}\``,
      `${changes[0].toUpperCase()}${changes.slice(1)}`,
      between,
    ]);
  return `${generated}

# Differences of a service

The behaviour of the service is public only in part. The emulator can answer as a service that differs from it, in any of ${count} ways,
alone or together:

\`\`\`sh
npx endpoint-monitoring emulator --as trim-names,lag=3s,gzip,strict-404
\`\`\`

\`POST /_emulator/as\` with \`{ "as": ["gzip"] }\` changes them while the emulator runs, and \`GET /_emulator/as\` lists them.

${groups.map((group) => `## ${group.title}\n\n${table(["Name", "What such a service does", "Between which facts"], rows(group))}`).join("\n\n")}
`;
}
