import { rows, wrapped } from "./layout";
import type { Command } from "./command";

interface Topic {
  readonly summary: string;
  readonly text: (commands: readonly Command[]) => string;
}

export const topics: Readonly<Record<string, Topic>> = {
  checks: {
    summary: "Names and meanings of the review checks",
    text: () => {
      const { reviewChecks } = require("../../plan/judge/checks") as typeof import("../../plan/judge/checks");
      return sections(
        "A review runs these checks on each change. `review --fail-on` and the pipeline variable ENDPOINT_MONITORING_FAIL_ON select the checks that fail a review (comma-separated). Policy packs use the same check names.",
        rows(Object.entries(reviewChecks)),
        "`any` selects all checks. `none` disables all checks except `address`. If `address` reports a finding, the review stops before the preview, because a preview would send the token to the new host.",
      );
    },
  },
  environment: {
    summary: "Environment variables for commands and pipelines",
    text: () => {
      const { environmentVariables, settings } = require("../../api/setting-names") as typeof import("../../api/setting-names");
      const ofService = Object.values(settings).map(({ env, meaning }): [string, string] => [env, firstSentence(meaning)]);
      const ofMachine = Object.entries(environmentVariables).filter(
        ([, meaning]) => !meaning.includes(" this variable, so that "),
      );
      return sections(
        "Commands read each setting from the stack configuration first, then from the environment. Outside a Pulumi project, commands read only the environment. docs/settings.md describes all settings.",
        `Settings:\n${rows(ofService)}`,
        `This machine:\n${rows([...ofMachine.map(([name, meaning]) => [name, firstSentence(meaning)] as const), ["NO_COLOR", "Any value turns colors off"]])}`,
        `Pipelines (\`ci\`). On GitHub, SETTINGS (JSON) and SECRETS (lines NAME=VALUE) can also contain these variables:\n${rows(pipelineVariables)}`,
      );
    },
  },
  "exit-codes": {
    summary: "The exit codes of all commands",
    text: (commands) => {
      const ofCommands = commands.flatMap(({ name, exitCodes = {} }) =>
        Object.entries(exitCodes).flatMap(([code, meaning]) =>
          Number(code) > 1 ? [[`${name} ${code}`, meaning] as const] : [],
        ),
      );
      return sections(rows(Object.entries(exitCodes)), `Codes 2 and 3 by command:\n${rows(ofCommands)}`);
    },
  },
  json: {
    summary: "The JSON output of all commands (--json)",
    text: (commands) => {
      const members = commands.flatMap(({ name, json }) => (json === undefined ? [] : [[name, json] as const]));
      return sections(
        'With --json, a command prints one JSON object on one line of standard output. Progress, warnings and errors for people go to standard error.\n  { "data": …, "warnings": […] }\n  { "error": { "code": …, "message": … } }',
        "docs/errors.md lists the codes of the service's errors. Commands add the codes `usage` (a mistake on the command line or in the project), `interrupted` and `bug`.",
        `Members of \`data\`:\n${rows(members)}`,
      );
    },
  },
};

const exitCodes = {
  0: "done",
  1: "failed: a mistake on the command line, in the project or in the program, or an error of the engine or the service",
  2: "done, and the command has findings",
  3: "inconclusive: too few measurements",
  130: "interrupted",
};

const pipelineVariables: readonly (readonly [string, string])[] = [
  ["ENDPOINT_MONITORING_STACK", "Stack of the job. Without this variable, the drift job checks all stacks"],
  ["ENDPOINT_MONITORING_FAIL_ON", "Checks that fail a review, in addition to the check `address` (default: `renamed`)"],
  ["ENDPOINT_MONITORING_REACH_TOLERANCE", "Number of agents that may differ between the approval and the update"],
  ["ENDPOINT_MONITORING_REHEARSE", "The value `false` disables the rehearsal"],
  ["ENDPOINT_MONITORING_VERIFY", "The value `false` disables the verification"],
  [
    "ENDPOINT_MONITORING_DRIFT",
    "With the value `pull-request`, the drift job accepts drift in a pull or merge request instead of reporting the drift in an issue",
  ],
  ["ENDPOINT_MONITORING_REPORTS", "Folder for the reports that one job passes to the next"],
  ["APPROVED", "Digest of the approval that a user confirms"],
  ["OVERRIDE_REASON", "Reason for applying a change without an approval. The log and the report show the reason"],
];

function sections(...parts: string[]): string {
  return `${parts.map((part) => (/^ |:\n/.test(part) ? part : wrapped(part))).join("\n\n")}\n`;
}

function firstSentence(text: string): string {
  return text.split(/[.;](?:\s|$)/)[0] ?? text;
}
