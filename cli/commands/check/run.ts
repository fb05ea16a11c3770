import { Checks, type Status } from "./checks";
import { type CheckValues, defaultTimeout } from "./options";
import { checkMachine, checkPreview, checkState } from "./machine";
import { checkService } from "./service";
import { checkSettings } from "./settings";
import { checkShared } from "./shared";
import { type ExitCode, positiveNumber, type Invocation } from "../../command";
import { type Block, type TextMark, text } from "../../report/document";
import { ours, type Phrase } from "../../../common/phrase";
import { counted } from "../../../common/text";

export async function run(values: CheckValues, { out, io }: Invocation): Promise<ExitCode> {
  const timeout = positiveNumber("timeout", values.timeout) || defaultTimeout;
  const checks = new Checks((name, done) => {
    out.progress(`Checking ${name}`, "terminal");
    out.count(done, undefined, "done");
  });
  const { stack, provider } = await checkMachine(checks, values.stack, io);
  const state = stack.value && (await checkState(checks, stack.value));
  const settings = await checkSettings(checks, stack, io);
  const { session, outcomes } = await checkService(checks, settings, timeout, out, io);
  if (stack.value && state) {
    await checkShared(checks, { stack: stack.value, session }, [state, ...outcomes], values["managed-by"] ?? [], out);
    await checkPreview(checks, stack.value, [provider, settings, state, ...outcomes]);
  }
  out.report({ data: { checks: checks.done }, blocks: () => blocksOf(checks) });
  return checks.done.some(({ status }) => status === "failed") ? 2 : 0;
}

const statusMarks: Record<Status, TextMark> = {
  ok: { sign: "✓ ok", tone: "green" },
  warning: { sign: "! warning", tone: "yellow" },
  failed: { sign: "✗ failed", tone: "red" },
  skipped: { sign: "- skipped", tone: "dim" },
};

function blocksOf({ done }: Checks): Block[] {
  const rows = done.map(({ name, status, message, fix }) => ({
    mark: statusMarks[status],
    cells: [ours(name), ours(message)],
    details: fix === undefined ? [] : [ours(`→ ${fix}`)],
  }));
  return [{ kind: "table", noun: "check", rows }, text(summaryOf(done))];
}

function summaryOf(done: Checks["done"]): Phrase {
  const numberOf = (wanted: Status): number => done.filter(({ status }) => status === wanted).length;
  const [failures, warnings] = [numberOf("failed"), numberOf("warning")];
  if (failures + warnings === 0) return ["Everything is in order."];
  const what = failures === 0 ? "No check failed." : `${counted(failures, "check is", "checks are")} not in order.`;
  return [what, ...ours(warnings === 0 ? "" : ` ${counted(warnings, "warning")}.`)];
}
