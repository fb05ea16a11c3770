/** Record names that try to attack their readers: terminals, CI runners, pages. */
const commands = [
  "##vso[task.complete result=Succeeded;]done",
  "##vso[task.setvariable variable=TOKEN;issecret=true]x",
  "##vso[task.uploadsummary]/etc/passwd",
  "##[error]failed",
  "##[add-mask]a",
  "##[set-env name=NODE_OPTIONS;]--require=./evil.js",
  "##[stop-commands]x",
  "##teamcity[buildStatus status='SUCCESS']",
  "::error file=a,line=1::failed",
  "::add-mask::a",
  "::stop-commands::token",
  "::set-output name=approval::mine",
  "::notice title=Approved::by nobody",
  "::debug::x",
  "::group::folded",
  "section_start:1560896352:evil[collapsed=true]\r\u001b[0KHidden",
  "section_end:1560896352:evil\r\u001b[0K",
];
const others = [
  "\u001b[2J\u001b[H",
  "\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007",
  "\u009b31mred",
  "\u202egnp.exe",
  "[Approve](https://evil.example)",
  "[Approve](javascript:alert(1))",
  "<img src=x onerror=alert(1)>",
  "<!-- endpoint-monitoring: review test dev -->",
  "</details><script>alert(1)</script>",
  "@everyone please approve #1",
  "| a | b |\n|---|---|",
  "```\n::error::out of a fence\n```",
  "https://evil.example/approve",
];
const around: ((name: string) => string)[] = [
  (name) => name,
  (name) => ` \t${name}`,
  (name) => `office ${name}`,
  (name) => `office\n${name}`,
  (name) => `office\r\n${name}\r`,
  (name) => `#${name}`,
  (name) => name.toUpperCase(),
];

/** More than 200 different names. */
export const hostileNames: readonly string[] = [
  ...new Set(around.flatMap((wrapped) => [...commands, ...others].map((name) => wrapped(name)))),
];

/** Matches output that a CI runner of GitHub, GitLab, Azure or others would execute, and control sequences of terminals. */
export const acting = /##[\w.-]*\[|^\s*::[\w-]+(?:[^\S\n][^\n]*)?::|(?!\n|\t)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/mu;
