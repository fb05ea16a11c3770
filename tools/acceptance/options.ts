import { parseArgs } from "node:util";

export const usage = `Usage: npm run acceptance -- [OPTIONS]

Compares the service of ENDPOINT_MONITORING_* with the emulator, and writes tools/acceptance/report.md and report.json. It uses the account
group ENDPOINT_MONITORING_ACCOUNT_GROUP_ID. The name of the group must begin with "acceptance".

  --i-know ID        Accept the account group ID with another name
  --read-only        Change nothing, and omit checks that create a record
  --only ROW         Run one check, or the checks with ids that begin with ROW
  --agent ID         Agent that the checks may rename, disable and enable
  --max-requests N   Maximum number of requests (default 550), without the cleanup
  --no-engine        Omit the checks on the Pulumi engine
  --record FILE      Write requests and answers for the emulator's tests
  --out FOLDER       Folder of the reports (default tools/acceptance/)
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

/** @throws Error with a one-line message if the command line is invalid */
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
