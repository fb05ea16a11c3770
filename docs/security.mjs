/** The page about security: what is written by hand, and tables from the contract and the settings. */

/** What each secret setting lets its holder do. */
const credentials = {
  token: "Everything that its user may do, with the user's role, in every account group of the user. It is valid for two years.",
  clientSecret: "With the client id: getting tokens, which may do what the client was granted. A token is never stored.",
  serviceBearerToken: "Asking for such tokens on behalf of the user that it belongs to.",
};

const operationRow = ({ id, method, path, writes, permission }) => [
  `\`${id}\``,
  `\`${method} ${path}\``,
  writes ? "yes" : "-",
  permission ?? "-",
];

export function securityPage({ generated, table, settings, operations }) {
  const secret = Object.entries(settings).filter(([, setting]) => setting.secret);
  return `${generated}

# Security

How to report a vulnerability: [SECURITY.md](../SECURITY.md).

## Credentials

${table(
  ["Setting", "Environment", "What its holder can do"],
  secret.map(([name, { env }]) => [`\`endpoint-monitoring:${name}\``, `\`${env}\``, credentials[name]]),
)}

- Set them with \`pulumi config set --secret\`, or in the environment. They are sent to \`endpoint-monitoring:baseUrl\` alone, by HTTPS; plain
  HTTP is refused but for loopback. Links in answers are followed for their query only, never to another host.
- A user and password of \`HTTPS_PROXY\` are sent to that proxy, and shown nowhere.
- Messages, logs, reviews and reports never hold one: what the service echoes of a credential is replaced with \`[secret]\`.
- \`regenerateApiToken()\` replaces the token. It is refused in a program that the engine runs; the old token is valid for 14 days at most.
- \`getConnectionString()\` gives what lets agents register in the account group: keep its answer as you keep a credential.

## Permissions

The role of the token's owner needs the permission **API access** for every operation. What the service's documentation states
beyond it stands in the last column; for labels and agents the names of permissions are not public. An operation that changes nothing
takes no permission to edit. \`endpoint-monitoring check\` tries what the token may do.

${table(["Operation", "Request", "Changes something", "Permission beside API access"], operations.map(operationRow))}

## A review without write permission

\`endpoint-monitoring review\`, \`endpoint-monitoring drift\` without \`--mend\`, and \`endpoint-monitoring import\` send only operations that
change nothing, so they work with the token of a user who may only read. \`endpoint-monitoring check\` works with it, too: to find out
what the token may do, it asks for a change of a record that does not exist. \`endpoint-monitoring verify\` runs tests, which takes
the permission Edit endpoint tests.

In CI two tokens keep the two apart: the one that reads for pull requests and nightly runs, the one that writes in a protected
environment that only \`pulumi up\` is in ([examples/ci](../examples/ci/README.md)). A preview runs the program: whoever may push a branch
can run code with the secrets of the review. So forks get none.

## What is stored where

| Place | What is in it | Secrets |
| --- | --- | --- |
| State, its history and backups (the backend's; \`.pulumi/\` with one of files) | Inputs and outputs of every resource, and the stack's configuration of the last update | Encrypted by the stack's secrets provider: passwords of tests always, and whatever the program marks. Everything else is in clear text: names, addresses, user names of tests |
| Checkpoint that \`pulumi stack export\` writes | The same | Encrypted, unless \`--show-secrets\` is given |
| \`Pulumi.STACK.yaml\` | The stack's configuration | Encrypted where they were set with \`--secret\` |
| Result of a function in a stack's outputs | What the program exports | Only \`getConnectionStringOutput\` marks its answer; mark others with \`pulumi.secret\` |
| Import file (\`import.STACK.json\`) | What \`endpoint-monitoring import\` hands to the engine | Passwords of \`--secrets FILE\` in clear text, readable by its owner alone (mode 0600). \`--run\` removes it after the import, unless \`--file\` named it; without \`--run\` the command says to remove it |
| \`--secrets FILE\` of \`import\` | Passwords that you give | In clear text: yours to protect and to remove. No error quotes it |
| Program that \`import\` and \`drift --accept\` write | Declarations | None: they refer to the configuration |
| Log (\`ENDPOINT_MONITORING_LOG\`) | Operation, path with ids, status, time | None: neither bodies, nor headers, nor queries |
| Temporary plan of a review, in the system's folder for such files | What \`pulumi preview --save-plan\` writes | Encrypted; in a folder of this user's own, removed when the preview has been read |
| Reviews and reports (\`--markdown\`, \`--json\`) | Names and properties of what changes | Named, never shown |
| Provider process | Token in memory | Ends with the operation of the engine |
| Emulator's database (\`emulator --data FILE\`) | Records of tests and trials | In clear text, readable by its owner alone (mode 0600); the page and the control API never show them. Give it no real password all the same |

What the provider prints shows under the stack's diagnostics: one line a replacement, without the name and values of a resource of which
anything is secret.

## The package

It has no install script, and none of the libraries that it needs has one. It holds the compiled \`dist\`, its manifest, licence, README and
changelog: neither tests nor maps. State holds no code of it: one short constant string that loads the installed package.
`;
}
