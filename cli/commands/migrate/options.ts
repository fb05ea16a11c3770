import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    help: "Stack to migrate (default: the selected one, or the only one). Other stacks of the program also need a `pulumi up` after each step",
  },
  key: {
    type: "string",
    value: "TEXT",
    help: "Key of the tags, such as team; required for the first step. {name} stands for the label's name",
  },
  value: { type: "string", value: "TEXT", help: "Value of the tags (default: {name})" },
  "allow-shared": {
    type: "boolean",
    help: "In the step labels, also delete a label if its id is the legacyId of a tag. The label and the tag may be one record, so this may also delete the tag",
  },
  "dry-run": { type: "boolean", help: "Report the edits without writing them" },
  details: { type: "boolean", help: "Print every property of the review on the terminal" },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type MigrateValues = Values<typeof options>;

export const migrate = defineCommand({
  name: "migrate",
  summary: "Replace labels with tags, step by step",
  about: "Replaces labels with tags in three steps, with an update after each.",
  usage: "labels [OPTIONS]",
  examples: ["{} migrate labels --key team --dry-run", "{} migrate labels --key team", "{} migrate labels --allow-shared"],
  details: `The service deprecates labels in favor of tags. Each run finds the next of these steps and writes it into the program:

  tags    adds a tag with the same filters and name next to each label
  tests   changes tests to select agents by tags. Each test is replaced and loses its result history
  labels  deletes labels that nothing uses

After each step, review the change and run \`pulumi up\`. Until then, migrate does not write the next step. The engine previews each step, and migrate reverts edits that have other effects. The report lists the agents that each test gains and loses. For resources that you must edit yourself, it shows the file, the line and the text to write.`,
  options,
  exitCodes: {
    0: "a step was written or waits for `pulumi up`, or the migration is complete",
    1: "failed: nothing was written",
    2: "you have to edit part of the program yourself",
  },
  words: () => ["labels"],
  needsWord: true,
});
