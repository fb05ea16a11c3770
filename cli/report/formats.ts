import type { OptionSpecs } from "../command";
import type { Report } from "./document";

/**
 * Renders a report.
 * @param folder folder that the command runs in
 */
type Format = (report: Report, folder: string) => string;

const file = { type: "string", value: "FILE" } as const;

export const reportOptions = {
  markdown: {
    ...file,
    help: "Write the report as Markdown with at most 60,000 characters. Use - as FILE to write to standard output",
  },
  sarif: { ...file, help: "Write the findings as SARIF 2.1.0. Use - as FILE to write to standard output" },
  junit: { ...file, help: "Write the findings as JUnit test cases. Use - as FILE to write to standard output" },
} as const satisfies OptionSpecs;

export const { markdown: markdownOption } = reportOptions;

export type FormatName = keyof typeof reportOptions;

export type ReportFiles = { readonly [F in FormatName]?: string | undefined } & { readonly json?: boolean | undefined };

/** Renderers by format. The code loads each renderer on demand, because the help needs only the options. */
export const formats: Readonly<Record<FormatName, Format>> = {
  markdown: (report) => (require("./markdown") as typeof import("./markdown")).toMarkdown(report.blocks("markdown")),
  sarif: ({ findings = [] }, folder) => (require("./sarif") as typeof import("./sarif")).toSarif(findings, folder),
  junit: ({ findings = [] }) => (require("./junit") as typeof import("./junit")).toJUnit(findings),
};
