import { type AgentTransferItem, operations } from "../../api/schemas";
import { agentTransferCsvHeader } from "../../api/schemas/agent-transfers";
import { fleetOf } from "../fleet/fleet";
import { startTransfer } from "../fleet/transfers";
import { type HandlerCall, handle } from "../handler";
import type { Caller } from "../organization";
import { Problem, standardStyle } from "../problem";
import type { Service } from "../service";
import { existing } from "./agents";

const calls = operations.agents;

export const agentTransferRoutes = [
  handle(calls.transfer, (call) => {
    const agent = existing(call);
    const { toAid } = call.body;
    if (!mayUse(call.caller, toAid)) throw new Problem(403, "User does not have permission on 'to' aid");
    if (toAid === call.aid) {
      throw standardStyle.invalid("body", [{ code: "invalid", field: "toAid", message: "is where the agent is now" }]);
    }
    startTransfer(call.service, agent.id, agent.aid, toAid);
    return { body: undefined };
  }),
  handle(
    calls.transferBulk,
    (call) => ({
      body: {
        items: call.service.store.together(() =>
          call.body.transfers.map((request) => ({ ...outcome(call, request), request })),
        ),
      },
    }),
    { fromText: transfersOfCsv },
  ),
];

/**
 * Starts a transfer if the transfer is possible. The response texts for status 200, 400 and 403 come from the samples in the service's
 * documentation.
 */
function outcome(
  call: Pick<HandlerCall, "caller" | "service">,
  transfer: AgentTransferItem,
): { status: number; detail: string } {
  const { agentId, fromAid, toAid } = transfer;
  if (agentId === undefined || agentId === "") return { status: 400, detail: "Missing agent id" };
  if (fromAid === undefined || !/^\d+$/.test(fromAid)) return { status: 400, detail: "Missing from-account id" };
  if (toAid === undefined || !/^\d+$/.test(toAid)) return { status: 400, detail: "Missing to-account id" };
  for (const [name, aid] of [
    ["from", fromAid],
    ["to", toAid],
  ] as const) {
    if (!mayUse(call.caller, aid)) return { status: 403, detail: `User does not have permission on '${name}' aid` };
  }
  if (!isThere(call.service, agentId, fromAid)) return { status: 404, detail: "Agent not found in the from-account" };
  if (fromAid === toAid) return { status: 400, detail: "The agent is in the to-account" };
  startTransfer(call.service, agentId, fromAid, toAid);
  return { status: 200, detail: "Initiated" };
}

function mayUse({ accountGroups }: Caller, aid: string): boolean {
  return accountGroups.some((group) => group.aid === aid);
}

function isThere(service: Service, agentId: string, aid: string): boolean {
  const agent = fleetOf(service).get(agentId);
  return agent?.aid === aid && !agent.body.deleted;
}

/**
 * Reads transfers from CSV: a header, then one transfer per line. Values may be in quotes.
 *
 * @throws Problem 400 if the header line differs from the documented header
 */
function transfersOfCsv(text: string): { transfers: AgentTransferItem[] } {
  const [header = "", ...lines] = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  if (header.trim() !== agentTransferCsvHeader) {
    const message = `the first line must be ${agentTransferCsvHeader}`;
    throw standardStyle.invalid("body", [{ code: "invalid", field: "header", message }]);
  }
  const rows = lines.filter((line) => line.trim() !== "").map((line) => line.split(",").map(unquoted));
  return {
    transfers: rows.map(([agentId, fromAid, toAid]) =>
      Object.fromEntries(
        Object.entries({ agentId, fromAid, toAid }).filter(([, value]) => value !== undefined && value !== ""),
      ),
    ),
  };
}

function unquoted(value: string): string {
  return value.trim().replace(/^"(.*)"$/, "$1");
}
