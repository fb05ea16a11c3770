import type { Finding } from "./suite";

export interface Report {
  /** Base URL of the service, without credentials. */
  readonly service: string;
  readonly accountGroupId: string;
  readonly startedAt: string;
  readonly requests: number;
  readonly counts: Readonly<Record<Finding["outcome"], number>>;
  readonly findings: readonly Finding[];
}

export function reportOf(
  about: Pick<Report, "service" | "accountGroupId" | "startedAt" | "requests">,
  findings: readonly Finding[],
): Report {
  const count = (outcome: Finding["outcome"]): number => findings.filter((finding) => finding.outcome === outcome).length;
  return { ...about, counts: { agreed: count("agreed"), differs: count("differs"), unknown: count("unknown") }, findings };
}

const json = (value: unknown): string => (value === undefined ? "absent" : JSON.stringify(value));
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const of = (report: Report, outcome: Finding["outcome"]): Finding[] =>
  report.findings.filter((finding) => finding.outcome === outcome);

/** Returns the report in Markdown, with the differences first. */
export function markdownOf(report: Report): string {
  const { agreed, differs, unknown } = report.counts;
  return `# Acceptance

${report.service}, account group ${report.accountGroupId}, ${report.startedAt}, ${report.requests} requests: ${agreed} agreed, ${differs} differ, ${unknown} unknown.

## Differs

${of(report, "differs").map(differing).join("\n") || "Nothing.\n"}
## Unknown

${table(
  ["Check", "Reason"],
  of(report, "unknown").map(({ id, reason = "" }) => [`\`${id}\``, reason]),
)}

## Agreed

${table(
  ["Check", "Topic"],
  of(report, "agreed").map(({ id, topic }) => [`\`${id}\``, topic]),
)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "Nothing.";
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function differing({ id, topic, file, differences = [], exchanges = [] }: Finding): string {
  const answers = differences.map(({ at, emulator, service }) => [
    `\`${at}\``,
    `\`${json(emulator)}\``,
    `\`${json(service)}\``,
  ]);
  const requests = exchanges.map(({ request, response }) => {
    const pairs = Object.entries(request.query).flatMap(([name, all]) => all.map((one): [string, string] => [name, one]));
    const query = new URLSearchParams(pairs);
    const line = `${request.method} ${request.path}${query.size > 0 ? `?${query.toString()}` : ""}`;
    const body = request.body === undefined ? "" : `\n${json(request.body)}`;
    return `${line}${body}\n→ ${response.status} ${json(response.body)}`;
  });
  return `### \`${id}\`: ${topic}

If the service is right, change \`${file ?? "-"}\`.

${table(["Value", "Emulator", "Service"], answers)}
${requests.length === 0 ? "" : `\n\`\`\`text\n${requests.join("\n\n").replaceAll("```", "'''")}\n\`\`\`\n`}`;
}
