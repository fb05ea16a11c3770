/** Generates the page about security from text in this file, and from tables of the contract and the settings. */

/** The actions that each secret setting allows its holder. */
const credentials = {
  token:
    "Everything that its user may do, with the user's role, in every account group of the user. It is valid for two years.",
  clientSecret: "With the client id: request tokens, which have the permissions of the client. Tokens are never stored.",
  serviceBearerToken: "Request such tokens on behalf of its user.",
};

/**
 * Attackers: their aim, the defenses with their tests (file, titles), and the gaps with the settings that close them. A test
 * finds each of the tests.
 */
const threats = [
  [
    "**A fork**: anybody with a pull request",
    "Token; code on the runner; an approval",
    "Nothing of it runs, and the job is red. What its runs keep is no approval",
    [
      ["test/ci/github-steps.test.ts", "a fork: nothing of it runs, and the job is red and says what to do"],
      ["test/ci/gitlab-steps.test.ts", "a fork: nothing of it runs, and a job is red and says what to do"],
      ["test/ci/schemas.test.ts", "code of a fork never meets secrets"],
      ["test/ci/github-approval.test.ts", "is none of another pull request, branch, workflow or event, of a fork, or expired"],
      ["test/ci/gitlab-approval.test.ts", "is none of a fork, another commit, branch, job or event, or one that has expired"],
    ],
    "Whoever pushes its commits to a branch runs them: read them first",
  ],
  [
    "**A collaborator** who may push a branch",
    "The token at another host; a change that nobody saw; a false green",
    "A review stops before anything is sent to a host that is not known. This includes the hosts of explicit providers: provider processes that a command starts refuse any host that is neither in the stack's settings nor in the state of its last update. An approval is of the merged head, of what was there at the yes, and its digest goes with it. The program never gets the token of the forge",
    [
      [
        "test/cli/address.test.ts",
        "an address that is not the last update's or the environment's stops the review before anything is sent",
      ],
      ["test/cli/address.test.ts", "a provider of the program that leads elsewhere stops the review: %s"],
      ["test/engine/elsewhere.test.ts", "every command that runs the program sends nothing to another host"],
      ["test/engine/address.test.ts", "with the hosts that are allowed, nothing is sent to any other"],
      [
        "test/ci/github-approval.test.ts",
        "is what was there when people said yes: a review that ran again and says something else ends it",
      ],
      [
        "test/ci/gitlab-approval.test.ts",
        "is what was there when people said yes, and none if a retried review says something else",
      ],
      ["test/cli/approval-attacks.test.ts", "what was approved is applied, and then its approval is no other's"],
      ["test/ci/exposure.test.ts", "with variables that all jobs get, each process sees its own alone"],
    ],
    "A preview runs the program with the secrets of the review: give it a token that only reads. Set `ENDPOINT_MONITORING_ALLOWED_HOSTS`; protect main and `.github/` by required reviews; at GitLab protect the variables",
  ],
  [
    "**Whoever names records** in the account",
    "Commands on the runner; a masked log; a script on a page",
    "One function makes text of others harmless in terminals, logs, Markdown, SARIF, JUnit, JSON and pages",
    [
      ["test/cli/hostile-names.test.ts", "a block of each kind, with each name at each place"],
      ["test/cli/hostile-names.test.ts", "what a command says on the way, and what it fails with"],
      ["test/page/render.test.ts", "200 hostile names: no control character, no element of theirs, and no link that runs"],
    ],
    "A name may still mislead who reads it. What the program itself prints is its own",
  ],
  [
    "**A hostile service**, or a portal in its place",
    "The token for another host; deletes; the state",
    "Links are followed for their query alone. Only a proof counts as deleted. What is echoed of a secret is hidden",
    [
      ["test/unit/api-pages.test.ts", "never goes to another host or path"],
      ["test/provider/not-the-service.test.ts", "is neither deleted nor reported as deleted"],
      ["test/provider/lifecycle.test.ts", "keeps a record in state of whose account group the credentials see nothing"],
      ["test/unit/api-recorded-400s.test.ts", "a text that repeats a secret does not show it, in a field neither"],
    ],
    "It may lie about what it holds: a review says what it saw, and `verify` measures",
  ],
  [
    "**Another user of the machine**",
    "Token; code that runs as you; files with secrets",
    "Caches and files for other processes are in folders of mode 0700 whose owner is checked, and links are refused. Files with secrets have mode 0600. The emulator answers for loopback alone",
    [
      ["test/provider/compile-cache.test.ts", "the shared folder for temporary files is not where it is"],
      ["test/provider/operation-log.test.ts", "a folder of another user, one that is open to others, and a link are refused"],
      ["test/cli/files.test.ts", "keeps a file with secrets to its owner"],
      ["test/cli/files.test.ts", "is never one that somebody else has put there: a link, or a folder that is open to others"],
      ["test/emulator/access-hosts.test.ts", "it answers for loopback under any port, and for nothing else"],
    ],
    "Pulumi's own ports have no password (below): use a container or a runner of its own",
  ],
  [
    "**The network**",
    "Token; answers of its own",
    "HTTPS except to loopback; certificates are checked; credentials of a proxy go to that proxy",
    [
      [
        "test/engine/mistakes.test.ts",
        "is plain HTTP to a host that is not loopback: told at preview, before anything is sent",
      ],
      [
        "test/unit/api-proxy.test.ts",
        "through a proxy, a certificate that is refused is the service's, and not asked for again",
      ],
      ["test/unit/api-proxy.test.ts", "credentials of the proxy's URL are sent, decoded"],
    ],
    "A proxy whose authority you trust (`NODE_EXTRA_CA_CERTS`) reads everything",
  ],
  [
    "**A dependency**",
    "Code on the runner; the token",
    "No script of a package runs when ours is installed, nor in the pipelines, where an installation sees no secret. Actions are pinned by commits, the engine and images by versions, and nothing comes from a cache",
    [
      ["test/unit/security.test.ts", "it has no script that npm runs at an install"],
      ["test/unit/security.test.ts", "none of the libraries that come with it has one"],
      ["test/ci/schemas.test.ts", "versions are pinned: images, the engine, no range, and no installer is piped into a shell"],
      [
        "test/ci/schemas.test.ts",
        "every action is pinned by the commit of a release, whose version stands beside it; a checkout leaves no token behind",
      ],
      ["test/ci/schemas.test.ts", "nothing comes from a cache"],
      ["test/ci/exposure.test.ts", "at GitHub"],
    ],
    "What the program imports runs in previews and updates: read changes of the lock file, which a review names",
  ],
  [
    "**Whoever may push a tag**",
    "A release that nobody reviewed",
    "Only a commit of main becomes a release, and the published files are those that were tested and attested",
    [
      [
        "test/unit/workflows.test.ts",
        "a release: of a tag alone, tested in the long form first, published with a provenance by the one job that has an identity",
      ],
      ["test/unit/release-settings.test.ts", "where everything is set, it says so, and tools/release/README.md lists the same"],
    ],
    "The workflow is that of the tag: a maintainer restricts tags and the environment (`node .ci/settings.mjs` checks it)",
  ],
];

const threatRow = ([who, wants, stops, tests, left]) => [
  who,
  wants,
  stops,
  tests.map(([file, title]) => `\`${file}\` "${title}"`).join("; "),
  left,
];

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

Look up which credentials and permissions the package needs, where it stores data, and which attacks it resists. To report a vulnerability, see
[SECURITY.md](../SECURITY.md).

## Threat model

Nobody can keep people who may merge to main, or who hold the token that writes, from what they may do. Of all others:

${table(["Who", "Wants", "What stops them", "Test", "What does not, and what to set"], threats.map(threatRow))}

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
| Import file (\`import.STACK.json\`) | The resources that \`endpoint-monitoring import\` passes to the engine | Passwords from \`--secrets FILE\` in clear text, readable by its owner only (mode 0600). \`--run\` deletes the file after the import. Without \`--run\`, the command asks you to delete it |
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
- The processes of one operation share a file in a folder of mode 0700. It is in the first folder of this list that only you and root can
  change: \`XDG_RUNTIME_DIR\`, the folder for temporary files (\`TMPDIR\`), \`PULUMI_HOME\`, the cache folder (\`XDG_CACHE_HOME\`). The file
  holds names of resources and ids of records, but no property. A folder of another user and a link never qualify.
- \`pulumi -v=9\` writes every property and every setting in clear text, the token and passwords included, since the engine logs its
  calls (engine 3.259.0). Use \`ENDPOINT_MONITORING_LOG=debug\` instead, which logs no secret. Never publish a log of \`-v=9\` or higher.

## The package

Neither the package nor any of its dependencies has an install script. The package contains the compiled \`dist\`, its manifest, license,
documentation and examples, but no tests and no source maps. The state contains no code of the package, only one short constant string that
loads the installed package.
`;
}
