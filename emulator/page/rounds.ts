import { milliseconds, moment } from "./format";
import { agentLink } from "./links";
import { type Content, type Html, html } from "./html";
import { badge, type Column, table } from "./parts";
import { plot, type Point } from "./plot";
import { type FleetAgent, type TestRound } from "./sources";

const listed = 50;

/** Returns the main measurement of each round. If a test sends no HTTP requests, the main measurement is the latency. */
export function pointsOf(rounds: readonly TestRound[]): Point[] {
  return rounds.toReversed().map((round) => ({ at: round.startedAt, value: valueOf(round) }));
}

export function roundsSection(
  rounds: readonly TestRound[],
  now: number,
  agentOf: (id: string) => FleetAgent | undefined,
): Html {
  const requests = rounds.some(({ http }) => http);
  const probed = rounds.toReversed().filter(({ network }) => network);
  const latencies = probed.map(({ startedAt, network }) => ({ at: startedAt, value: network?.avgLatency }));
  return html`${requests && plot(pointsOf(rounds), "Time of the request", now)} ${plot(latencies, "Latency", now)}
  ${roundTable(rounds.slice(0, listed), requests, now, agentOf)}`;
}

function roundTable(
  rounds: readonly TestRound[],
  requests: boolean,
  now: number,
  agentOf: (id: string) => FleetAgent | undefined,
): Html {
  const columns: Column<TestRound>[] = [
    { name: "Round", cell: ({ startedAt }) => moment(startedAt, now) },
    {
      name: "Outcome",
      plain: true,
      cell: (round) => html`${outcome(round)} ${hasFailed(round) && html`<span class="small">${reasonOf(round)}</span>`}`,
    },
    ...(requests ? [{ name: "Request", number: true, cell: ({ http }: TestRound) => duration(http?.totalTime) }] : []),
    { name: "Latency", number: true, cell: ({ network }) => duration(network?.avgLatency) },
    { name: "Jitter", number: true, wide: true, cell: ({ network }) => duration(network?.jitter) },
    { name: "Loss", number: true, cell: ({ network }) => network && `${network.loss} %` },
    { name: "Agent", wide: true, cell: ({ agentId }) => agentName(agentOf(agentId), agentId) },
  ];
  return table(
    "Rounds, the latest first",
    columns,
    rounds,
    "No rounds. Only this machine's agent measures, and it only contacts loopback and allowed targets.",
  );
}

function valueOf({ http, network }: TestRound): number | undefined {
  if (!http) return network?.avgLatency;
  return http.errorType === "none" ? http.totalTime : undefined;
}

export function outcome(round: TestRound): Html {
  const code = round.http?.responseCode === undefined ? undefined : String(round.http.responseCode);
  return hasFailed(round) ? badge("bad", code ?? "failed") : badge("good", code ?? "ok");
}

export function hasFailed(round: TestRound): boolean {
  return valueOf(round) === undefined;
}

export function reasonOf({ http, network }: TestRound): string | undefined {
  return http ? http.errorDetails : network?.error;
}

function duration(ms: number | undefined): Content {
  return ms === undefined ? undefined : milliseconds(ms);
}

function agentName(agent: FleetAgent | undefined, id: string): Html {
  return agent ? agentLink(agent) : html`<code>${id}</code>`;
}
