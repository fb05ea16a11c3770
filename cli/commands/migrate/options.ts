import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    help:
      "Stack to look at (default: the selected one, or the only one). Other stacks that run the same program need a `pulumi up` after " +
      "each step, too",
  },
  key: {
    type: "string",
    value: "TEXT",
    help: "Key of the tags, such as team: needed for the first step. {name} stands for the label's name",
  },
  value: { type: "string", value: "TEXT", help: "Value of the tags (default: {name})" },
  "allow-shared": {
    type: "boolean",
    help:
      "With the step labels: also labels that may be one thing with a tag underneath, because the tag's legacyId is the label's id. " +
      "Whether deleting such a label deletes the tag is not known",
  },
  "dry-run": { type: "boolean", help: "Put the program back after the preview, and report what would be written" },
  details: { type: "boolean", help: "On the terminal each resource of the review property by property" },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type MigrateValues = Values<typeof options>;

export const migrate = defineCommand({
  name: "migrate",
  summary: "Replace labels by tags, step by step",
  about: "Replaces labels by tags, step by step.",
  usage: "labels [OPTIONS]",
  examples: ["{} migrate labels --key team --dry-run", "{} migrate labels --key team", "{} migrate labels --allow-shared"],
  details: `The service deprecates labels as what tests select agents by, in favor of tags. Each run finds out by the program, the stack and the service where the migration stands, and writes the next of three steps:

  tags    beside each label a tag with the same filters, of the same name in the program
  tests   tests select by the tags: each is replaced, and its result history ends
  labels  labels that nothing uses anymore are taken out

Look at the change after each step, and run \`pulumi up\`: while changes of the program wait for that, nothing is written. The engine previews what was written: what would do anything but what the step announces is put back. What cannot be edited is reported with its place and with what to write by hand, and the rest goes on. The report has the review of the update, as \`review\` has it: of each test the agents that it gains and loses.`,
  options,
  exitCodes: {
    0: "a step was written, waits for `pulumi up`, or nothing is left",
    1: "failed: nothing was written",
    2: "you have to edit part of the program yourself",
  },
  words: () => ["labels"],
  needsWord: true,
});
