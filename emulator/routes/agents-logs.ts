import { millisecondsOf, operations, timeRangeProblem, windowSeconds } from "../../api/schemas";
import { fleetOf } from "../fleet/fleet";
import { agentLogs } from "../fleet/logs";
import { handle } from "../handler";
import { pageOfList } from "../pages";
import { standardStyle } from "../problem";
import { notFound } from "./agents";

/** The documented page sizes of the operation `agents.logs`. */
const pages = { size: 1000, largest: 5000 };

export const agentLogRoutes = [
  // The log of a deleted agent remains readable, because it contains the deletion of the agent.
  handle(operations.agents.logs, (call) => {
    const { path, query, service, aid, self } = call;
    const agent = fleetOf(service).get(path.agentId);
    if (!agent || agent.aid !== aid) throw notFound();
    const problem = timeRangeProblem(query);
    if (problem) throw standardStyle.invalid("query", [{ code: "invalid", ...problem }]);
    const now = service.settings.now();
    const from =
      query.window === undefined
        ? millisecondsOf(query.startDate ?? "1970-01-01T00:00:00Z")
        : now - windowSeconds(query.window) * 1000;
    const to = query.endDate === undefined ? now : millisecondsOf(query.endDate);
    const entries = service.store
      .list(agentLogs, agent.id)
      .filter(({ body: { timestampMs = 0 } }) => timestampMs >= from && timestampMs <= to);
    const { rows, next } = pageOfList(call, "agent-logs", entries, pages);
    return {
      body: {
        logs: rows.map(({ body }) => body),
        _links: { self: { href: self }, ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
];
