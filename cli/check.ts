import { type Check, Checks, type Status } from "./check/checks";
import { checkMachine } from "./check/machine";
import { checkService } from "./check/service";
import { checkSettings } from "./check/settings";
import { type Command, options, positiveNumber } from "./command";
import type { Output } from "./output";
import { counted } from "./words";

/** Seconds that one answer may take. */
const defaultTimeout = 10;

const help = `Says whether everything is in order that the program and these commands need, a line each, with what to do where it is not.

Usage: endpoint-monitoring check [OPTIONS]

It looks at Node and the Pulumi engine; in a project, at the stack and at the provider package of the program; at the settings; then
at the service: whether it can be reached, its clock, the token, the account group, what may be read and changed there, and what is
left of the request budget. Nothing is changed: whether changes are forbidden is tried with an empty change of what does not exist.

Inside a Pulumi project settings come from the stack's configuration, then the environment; elsewhere from the environment.

Options:
  --stack NAME        Stack whose configuration is looked at (default: the selected one)
  --timeout SECONDS   Longest wait for one answer of the service (default ${defaultTimeout})
  --json              Print the result as JSON: { data: { checks: [{ name, status, message, fix? }] } }
  --help              This text

Example:
  endpoint-monitoring check --stack production

Exit codes: 0 everything is in order, warnings aside; 2 something is not; 1 the check itself could not be carried out; 130
interrupted.
`;

export const checkCommand: Command = {
  name: "check",
  summary: "Say whether engine, credentials, account groups, clock and rate budget are in order",
  help,
  async run(args, out) {
    const given = options(args, { stack: { type: "string" }, timeout: { type: "string" } });
    const timeout = positiveNumber("timeout", given.timeout) || defaultTimeout;
    const checks = new Checks((name) => out.step(`Checking ${name}`));
    const machine = await checkMachine(checks, given.stack);
    const settings = await checkSettings(checks, machine);
    await checkService(checks, settings, timeout, out);
    out.result({ checks: checks.done }, () => text(checks.done, out));
    return checks.done.some(({ status }) => status === "failed") ? 2 : 0;
  },
};

const marks: Record<Status, readonly [sign: string, style: Parameters<Output["paint"]>[0]]> = {
  ok: ["✓ ok", "green"],
  warning: ["! warning", "yellow"],
  failed: ["✗ failed", "red"],
  skipped: ["- skipped", "dim"],
};

function text(checks: readonly Check[], out: Output): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, message, fix }) => {
    const [sign, style] = marks[status];
    const line = `${out.paint(style, sign.padEnd("! warning".length))}  ${name.padEnd(width)}  ${message}`;
    return fix === undefined ? [line] : [line, `${" ".repeat("! warning".length + 2)}→ ${fix}`];
  });
  return [...lines, "", summary(checks)].join("\n");
}

function summary(checks: readonly Check[]): string {
  const count = (wanted: Status): number => checks.filter(({ status }) => status === wanted).length;
  const [bad, warnings] = [count("failed"), count("warning")];
  const aside = warnings === 0 ? "" : ` ${counted(warnings, "warning")}.`;
  if (bad === 0 && warnings > 0) return `No check failed.${aside}`;
  if (bad === 0) return "Everything is in order.";
  return `${counted(bad, "check is", "checks are")} not in order.${aside}`;
}
