/** Generates the page about security from text in this file, and from tables of the contract and the settings. */

/** What each secret setting allows its holder to do. */
const credentials = {
  token: "Everything that its user may do, with the user's role, in every account group of the user. It is valid for two years.",
  clientSecret: "With the client id: request tokens, which have the permissions of the client. Tokens are never stored.",
  serviceBearerToken: "Request such tokens on behalf of its user.",
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

To report a vulnerability, see [SECURITY.md](../SECURITY.md).

## Credentials

${table(
  ["Setting", "Environment", "What its holder can do"],
  secret.map(([name, { env }]) => [`\`endpoint-monitoring:${name}\``, `\`${env}\``, credentials[name]]),
)}

- Set credentials with \`pulumi config set --secret\`, or in the environment. The client sends them to \`endpoint-monitoring:baseUrl\` only,
  over HTTPS. It refuses plain HTTP except to loopback addresses. It follows only the query of links in answers, never their host.
- The client sends the user and password in \`HTTPS_PROXY\` to that proxy, and never shows them.
- Messages, logs, reviews and reports never contain a credential. If the service echoes one, it is replaced with \`[secret]\`.
- \`regenerateApiToken()\` replaces the token. It fails in a program that the engine runs. The old token stays valid for at most 14 days.
- \`getConnectionString()\` returns the string with which agents register in the account group. Protect it like a credential.

## Permissions

The role of the token's owner needs the permission **API access** for every operation. The last column lists further permissions that
the service documents. The names of permissions for labels and agents are not public. An operation that changes nothing needs no
permission to edit. \`endpoint-monitoring check\` checks what the token may do.

${table(["Operation", "Request", "Changes something", "Permission beside API access"], operations.map(operationRow))}

## A review without write permission

\`endpoint-monitoring review\`, \`endpoint-monitoring drift\` without \`--mend\`, and \`endpoint-monitoring import\` send only operations that
change nothing, so they work with the token of a user who may only read. \`endpoint-monitoring check\` also works with such a token: to
find out what the token may do, it requests a change of a record that does not exist. \`endpoint-monitoring verify\` runs tests, which
needs the permission Edit endpoint tests.

Use two tokens in CI: one that only reads, for pull requests and nightly runs, and one that writes, in a protected environment that only
\`pulumi up\` uses ([examples/ci](../examples/ci/README.md)). A preview runs the program, so everyone who may push a branch can run code
with the secrets of the review. Forks get no secrets.

## What is stored where

| Place | Content | Secrets |
| --- | --- | --- |
| State, its history and backups (in the backend; a file backend uses \`.pulumi/\`) | Inputs and outputs of every resource, and the stack's configuration of the last update | Encrypted by the stack's secrets provider: passwords of tests always, and the values that the program marks. Everything else is in clear text: names, addresses, user names of tests |
| Checkpoint from \`pulumi stack export\` | The same | Encrypted, unless \`--show-secrets\` is given |
| \`Pulumi.STACK.yaml\` | The stack's configuration | Encrypted if they were set with \`--secret\` |
| Result of a function in a stack's outputs | What the program exports | Only \`getConnectionStringOutput\` marks its result; mark others with \`pulumi.secret\` |
| Import file (\`import.STACK.json\`) | The resources that \`endpoint-monitoring import\` passes to the engine | Passwords from \`--secrets FILE\` in clear text, readable by its owner only (mode 0600). \`--run\` deletes the file after the import, unless \`--file\` names it. Without \`--run\`, the command asks you to delete it |
| \`--secrets FILE\` of \`import\` | Passwords that you provide | In clear text: protect the file, and delete it after the import. No error quotes it |
| Program that \`import\` and \`drift --accept\` write | Declarations | None: they refer to the configuration |
| Log (\`ENDPOINT_MONITORING_LOG\`) | Operation, path with ids, status, time | None: it has no bodies, headers or queries |
| Temporary plan of a review, in the system's temporary folder | The plan from \`pulumi preview --save-plan\` | Encrypted; in a folder that only this user can read, deleted after the command has read the preview |
| Reviews and reports (\`--markdown\`, \`--json\`) | Names and changed properties | Secret properties are named; their values are never shown |
| Provider process | Token in memory | Ends with the operation of the engine |
| Emulator's database (\`emulator --data FILE\`) | Records of tests and trials | In clear text, readable by its owner only (mode 0600). Test data: never store a real password in it |

The provider prints one line per replacement, which the engine shows under the stack's diagnostics. For a resource with a secret, the line
has neither its name nor values.

## Other users of the machine

- Pulumi's engine and its provider processes talk over loopback ports without a password, both the dynamic providers and the native plugin. While an operation
  runs, every user of the machine can connect to such a port and call the provider: it changes records with your token, and a dynamic provider runs
  the code in the properties that it gets, as you. No call returns the token. Run Pulumi where nobody else has a login: a
  container, or a runner of its own.
- The processes of one operation share a file, in \`$XDG_RUNTIME_DIR\` or the folder for temporary files, in a folder of mode 0700. It holds
  names of resources and ids of records, no property. A folder of another user, and a link, are refused.
- \`pulumi -v=9\` writes every property and every setting in clear text, the token and passwords included, since the engine logs its
  calls (engine 3.259.0). Use \`ENDPOINT_MONITORING_LOG=debug\` instead, which logs no secret. Never publish a log of \`-v=9\` or higher.

## The package

Neither the package nor any of its dependencies has an install script. The package contains the compiled \`dist\`, its manifest, license,
documentation and examples, but no tests and no source maps. The state contains no code of the package, only one short constant string that
loads the installed package.
`;
}
