import { parseArgs } from "node:util";

export const usage = `Usage: npm run acceptance -- [OPTIONS]

Asks the service that ENDPOINT_MONITORING_* names what the emulator assumes of it, and writes acceptance/report.json and report.md.
It works in the account group ENDPOINT_MONITORING_ACCOUNT_GROUP_ID, whose name has to begin with "acceptance".

  --i-know ID        Work in the account group ID, whatever its name is
  --read-only        Change nothing: rows that create something are left out
  --only ROW         One row, by its id or how that begins; no lifecycle
  --agent ID         An agent of the account group that may be renamed, disabled and enabled
  --max-requests N   Most requests to make (default 550); cleaning up may take a few more
  --no-engine        Leave out the life of every kind on the Pulumi engine
  --record FILE      Write the requests and answers, for tests of the emulator to replay
  --out FOLDER       Where the reports go (default tools/acceptance/)
`;

export interface Options {
  readonly iKnow?: string;
  readonly readOnly: boolean;
  readonly only?: string;
  readonly agentId?: string;
  readonly maxRequests: number;
  readonly engine: boolean;
  readonly record?: string;
  readonly out?: string;
  readonly help: boolean;
}

/** @throws Error of one line for a mistake in the command line */
export function optionsOf(args: string[]): Options {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args,
    options: {
      "i-know": text,
      "read-only": flag,
      only: text,
      agent: text,
      "max-requests": text,
      "no-engine": flag,
      record: text,
      out: text,
      help: flag,
    },
  });
  const most = values["max-requests"] ?? "550";
  if (!/^[1-9]\d*$/.test(most)) throw new Error("--max-requests must be a whole number of at least 1.");
  return {
    iKnow: values["i-know"],
    readOnly: values["read-only"],
    only: values.only,
    agentId: values.agent,
    maxRequests: Number(most),
    engine: !values["no-engine"] && !values["read-only"] && values.only === undefined,
    record: values.record,
    out: values.out,
    help: values.help,
  };
}
