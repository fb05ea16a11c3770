import { findingData, type Level } from "../../../common/finding";
import { Checks } from "./checks";
import type { CheckValues } from "./options";
import { checkMachine, checkPreview, checkState } from "./machine";
import { checkService } from "./service";
import { checkSettings } from "./settings";
import { checkShared } from "./shared";
import type { ExitCode, Invocation } from "../../command";
import { type Block, type TextMark, text } from "../../report/document";
import { ours, type Phrase } from "../../../common/phrase";
import { counted } from "../../../common/text";

export async function run(values: CheckValues, { out, io }: Invocation): Promise<ExitCode> {
  const checks = new Checks((name, done) => {
    out.progress(`Checking ${name}`, "terminal");
    out.count(done, undefined, "done");
  });
  const { stack, provider } = await checkMachine(checks, values.stack, io);
  const state = stack.value && (await checkState(checks, stack.value));
  const settings = await checkSettings(checks, stack, io);
  const { session, outcomes } = await checkService(checks, settings, out, io);
  if (stack.value && state) {
    await checkShared(checks, { stack: stack.value, session }, [state, ...outcomes], out);
    await checkPreview(checks, stack.value, [provider, settings, state, ...outcomes]);
  }
  out.report({ data: { findings: checks.done.map(findingData) }, blocks: () => blocksOf(checks) });
  return checks.done.some(({ level }) => level === "error") ? 2 : 0;
}

const levelMarks: Record<Level, TextMark> = {
  passed: { sign: "✓ ok", tone: "green" },
  note: { sign: "- note", tone: "dim" },
  warning: { sign: "! warning", tone: "yellow" },
  error: { sign: "✗ failed", tone: "red" },
  skipped: { sign: "- skipped", tone: "dim" },
};

function blocksOf({ done }: Checks): Block[] {
  const rows = done.map(({ rule, level, text: message, fix }) => ({
    mark: levelMarks[level],
    cells: [ours(rule), message],
    details: fix ? [["→ ", ...fix]] : [],
  }));
  return [{ kind: "table", noun: "check", rows }, text(summaryOf(done))];
}

function summaryOf(done: Checks["done"]): Phrase {
  const numberOf = (wanted: Level): number => done.filter(({ level }) => level === wanted).length;
  const [failures, warnings] = [numberOf("error"), numberOf("warning")];
  if (failures + warnings === 0) return ["No problems found."];
  const what = failures === 0 ? "No check failed." : `${counted(failures, "check")} failed.`;
  return [what, ...ours(warnings === 0 ? "" : ` ${counted(warnings, "warning")}.`)];
}
