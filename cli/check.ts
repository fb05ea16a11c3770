import { type Check, Checks, type Status } from "./check/checks";
import { defaultTimeout } from "./check/help";
import { checkMachine } from "./check/machine";
import { checkService } from "./check/service";
import { checkSettings } from "./check/settings";
import { checkState } from "./check/state";
import { type ExitCode, options, positiveNumber } from "./command";
import type { Io } from "./io";
import type { Output } from "./output";
import { counted } from "./words";

/** Runs the command. */
export async function runCheck(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, { stack: { type: "string" }, timeout: { type: "string" } });
  const timeout = positiveNumber("timeout", given.timeout) || defaultTimeout;
  const checks = new Checks((name) => out.step(`Checking ${name}`));
  const machine = await checkMachine(checks, given.stack, io);
  await checkState(checks, machine.stack);
  const settings = await checkSettings(checks, machine, io);
  await checkService(checks, settings, timeout, out, io);
  out.result({ checks: checks.done }, () => text(checks.done, out));
  return checks.done.some(({ status }) => status === "failed") ? 2 : 0;
}

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
