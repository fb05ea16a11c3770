import { wordsOf } from "../command";
import { labelSteps, type MigrateValues } from "../commands/migrate";
import { checkFiles } from "../report/present";
import { type TagNaming, Template } from "./template";

export type LabelStep = (typeof labelSteps)[number];

/** The value of a tag unless another is given: the label's name. */
export const defaultValue = "{name}";

export interface MigrateLabelsOptions {
  readonly stack: string | undefined;
  /** How tags are called; absent where no key was given. */
  readonly naming: TagNaming | undefined;
  /** The step that was asked for; absent for whichever comes next. */
  readonly step: LabelStep | undefined;
  readonly dryRun: boolean;
  readonly createFirst: boolean;
  readonly allowShared: boolean;
  readonly markdown: string | undefined;
}

/** @throws UsageError */
export function readOptions(given: MigrateValues): MigrateLabelsOptions {
  checkFiles(given);
  const [step] = given.step === undefined ? [] : wordsOf("step", [given.step], labelSteps);
  return {
    stack: given.stack,
    naming: namingOf(given.key, given.value),
    step,
    dryRun: given["dry-run"] ?? false,
    createFirst: given["create-first"] ?? false,
    allowShared: given["allow-shared"] ?? false,
    markdown: given.markdown,
  };
}

function namingOf(key: string | undefined, value = defaultValue): TagNaming | undefined {
  const given = new Template("value", value);
  return key === undefined ? undefined : { key: new Template("key", key), value: given };
}
