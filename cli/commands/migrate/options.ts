import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    help: "Stack to migrate (default: the selected stack, or the only stack). After each step, run `pulumi up` for every stack of the program",
  },
  key: {
    type: "string",
    value: "TEXT",
    help: "Key of the new tags, such as team. The first step of a migration requires `--key`. `migrate` replaces {name} with the label's name",
  },
  value: { type: "string", value: "TEXT", help: "Value of the new tags (default: {name}, the label's name)" },
  "allow-shared": {
    type: "boolean",
    help: "In the step `labels`, also delete a label if the label's id is the legacyId of a tag. The label and the tag may be the same record, so deleting the label may also delete the tag",
  },
  "dry-run": { type: "boolean", help: "Report the edits without writing them" },
  details: { type: "boolean", help: "Show every property in the printed review" },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type MigrateValues = Values<typeof options>;

export const migrate = defineCommand({
  name: "migrate",
  summary: "Replace labels with tags, step by step",
  about: "Replaces labels with tags in three steps. Run `pulumi up` after each step.",
  usage: "labels [OPTIONS]",
  examples: ["{} migrate labels --key team --dry-run", "{} migrate labels --key team", "{} migrate labels --allow-shared"],
  details: `ThousandEyes is replacing labels with tags. Each run of \`migrate\` edits the program for the next of three steps:

  - For each label, the step \`tags\` adds a tag with the same filters and name.
  - The step \`tests\` changes each test so that it selects agents by tags instead of labels. The update replaces each test, so the test loses its result history.
  - The step \`labels\` deletes unused labels.

After each step, review the change and run \`pulumi up\`. \`migrate\` edits the program for the next step only after \`pulumi up\` has applied the previous step. \`migrate\` also previews each step, and reverts edits with unexpected effects. The report lists the agents that each test gains and loses. If you must edit a resource yourself, the report shows the file, the line and the text to write.`,
  options,
  exitCodes: {
    0: "a step was written or waits for `pulumi up`, or the migration is complete",
    1: "failed: nothing was written",
    2: "you have to edit part of the program yourself",
  },
  words: () => ["labels"],
  needsWord: true,
});
