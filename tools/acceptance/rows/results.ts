import { paths } from "../ask";
import { type Row } from "../row";
import { type Answer, missing } from "../session";

export const resultsRows: readonly Row[] = [
  {
    id: "round-id",
    topic: "`roundId`",
    emulator: "`roundId` is the start of the round in seconds since 1970, and is unique within a test",
    known: "Inferred from the samples",
    file: "emulator/measure/measure.ts",
    probe: async (ask) => {
      const rows = await ask.results(paths.networkResults);
      const now = Date.now() / 1000;
      return {
        secondsOfTheLastWeek: rows.every(({ roundId }) => Number(roundId) > now - 8 * 86_400 && Number(roundId) < now + 600),
      };
    },
    answers: { secondsOfTheLastWeek: true },
  },
  {
    id: "units-of-loss-latency-jitter",
    topic: "Loss, latency, jitter",
    emulator: "Loss is in percent, and latency in milliseconds. Jitter is the mean absolute deviation of the latency",
    known: "The documentation's samples are consistent with percent and milliseconds",
    file: "emulator/results/network.ts",
    reason: "a response does not contain units, so it requires a network with known loss and latency",
  },
  {
    id: "results-without-a-range",
    topic: "Results without `window`, `startDate`, `endDate`",
    emulator:
      "The response covers the last 24 hours, or the 24 hours before `endDate`. The time range includes its start and its end",
    known: "The samples span a day",
    file: "emulator/results/asked.ts",
    probe: async (ask) => {
      const hours = ({ body }: Answer): number =>
        Math.round((Date.parse(body.endDate) - Date.parse(body.startDate)) / 3_600_000);
      const endDate = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
      return {
        hours: hours(await ask.post(paths.networkResults, {})),
        hoursBeforeEnd: hours(await ask.post(paths.networkResults, {}, { query: { endDate } })),
      };
    },
    answers: { hours: 24, hoursBeforeEnd: 24 },
  },
  {
    id: "contradictory-ranges",
    topic: "`window` with dates, or `startDate` after `endDate`",
    emulator: "400",
    known: "The documentation forbids such requests, but does not name the response status",
    file: "emulator/results/asked.ts",
    probe: async (ask) => {
      const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
      const both = await ask.post(paths.networkResults, {}, { query: { window: "1h", startDate: early } });
      const reversed = await ask.post(paths.networkResults, {}, { query: { startDate: late, endDate: early } });
      return { windowAndDates: both.status, reversed: reversed.status };
    },
    answers: { windowAndDates: 400, reversed: 400 },
  },
  {
    id: "dates-of-queries",
    topic: "Dates in queries",
    emulator:
      "The emulator accepts dates in RFC 3339 format. The offset may omit the colon (`+0000`), as in requests from public clients",
    known: "The documentation contains only an example of a date",
    file: "api/schemas/time-range.ts",
    probe: async (ask) => {
      const from = async (startDate: string): Promise<number> =>
        (await ask.post(paths.networkResults, {}, { query: { startDate } })).status;
      const minute = new Date(Date.now() - 60_000).toISOString();
      return {
        seconds: await from(minute.replace(/\.\d+Z$/, "Z")),
        offset: await from(minute.replace("Z", "+00:00")),
        offsetWithoutColon: await from(minute.replace(/\.\d+Z$/, ".000000+0000")),
      };
    },
    answers: { seconds: 200, offset: 200, offsetWithoutColon: 200 },
  },
  {
    id: "order-of-results",
    topic: "Order of results",
    emulator:
      "The newest result comes first. A sort key without `order` means `desc`. Results without a value for the sort key come last",
    known: "Not documented",
    file: "emulator/results/search.ts",
    probe: async (ask) => {
      const rounds = new Map<string, number[]>();
      for (const { testId, agentId, roundId } of await ask.results(paths.networkResults, 2)) {
        const series = `${testId} ${agentId}`;
        rounds.set(series, [...(rounds.get(series) ?? []), Number(roundId)]);
      }
      const isFalling = (all: number[]): boolean => all.every((round, at) => at === 0 || (all[at - 1] ?? 0) >= round);
      return { newestFirst: [...rounds.values()].every(isFalling) };
    },
    answers: { newestFirst: true },
  },
  {
    id: "threshold-filters",
    topic: "Threshold filters",
    emulator:
      "A result must match all filters, or at least one filter if the request has `or`. A result without the filtered measurement does not match. `cpu` and `memory` are percentages",
    known: "Not documented",
    file: "emulator/results/search.ts",
    reason: "it requires results with known figures",
  },
  {
    id: "pages-of-results",
    topic: "Pages of results",
    emulator:
      "A page contains 100 rows. In a search across several tests, a page contains `max` rows. A cursor contains the time range and the last row of the previous page. Later pages omit rows that are newer than the first page",
    known: "Not documented",
    file: "emulator/results/search.ts",
    probe: async (ask) => {
      const page = await ask.post(paths.networkResults, {}, { query: { window: "7d", max: "1" } });
      const wrong = await ask.post(paths.networkResults, {}, { query: { cursor: "nonsense" } });
      return { mostOfMax1: page.body.results.length <= 1, unknownCursor: wrong.status };
    },
    answers: { mostOfMax1: true, unknownCursor: 400 },
  },
  {
    id: "unknown-ids-in-a-search",
    topic: "Unknown ids in a search across several tests",
    emulator: "No rows",
    known: "Not documented",
    file: "emulator/results/network.ts",
    probe: async (ask) => {
      const { status, body } = await ask.post(paths.networkResults, { searchFilters: { testId: [missing.id] } });
      return { status, rows: body.results?.length };
    },
    answers: { status: 200, rows: 0 },
  },
  {
    id: "results-that-are-not-there",
    topic: "Path visualization of an unknown agent or round, and HTTP server results of an agent-to-server test",
    emulator: "404",
    known: "Not documented",
    file: "emulator/routes/path-visualization.ts",
    probe: async (ask) => {
      const { testId } = await ask.plain("agentToServer");
      const path = `/v7/endpoint/test-results/scheduled-tests/${testId}`;
      const round = await ask.get(`${path}/pathvis/agent/${missing.uuid}/round/1700000000`);
      const http = await ask.get(`${path}/http-server`);
      return { round: round.status, httpOfNetworkTest: http.status };
    },
    answers: { round: 404, httpOfNetworkTest: 404 },
  },
  {
    id: "error-types",
    topic: "`errorType` of an HTTP result",
    emulator:
      "The type is `http` if the status is 400 or higher, the response is not HTTP, or the agent does not follow a redirect. The type is `receive` if no response arrives in time",
    known: "Only the names of the error types are documented",
    file: "emulator/measure/http.ts",
    reason: "it requires a target with a known failure, and a real agent that tests it",
  },
  {
    id: "times-of-an-http-result",
    topic: "`responseTime`, `totalTime`, `throughput`",
    emulator:
      "`responseTime` is the sum of the DNS, connect, TLS and wait times. `totalTime` also contains the receive time. `throughput` is the number of received kilobytes divided by the receive time in seconds",
    known:
      "The documentation's samples agree with the emulator's definitions. The documentation does not name the unit of `throughput`",
    file: "emulator/results/http-server.ts",
    probe: async (ask) => {
      const rows = await ask.results(paths.httpResults);
      const whole = ask.need(
        rows.find(({ responseTime, errorType }) => responseTime !== undefined && errorType === "none"),
        "no result without an error",
      );
      const { dnsTime = 0, connectTime = 0, sslTime = 0, waitTime = 0, receiveTime = 0, responseTime, totalTime } = whole;
      // Times are rounded to whole milliseconds.
      const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 3;
      return {
        responseTime: isNear(responseTime, dnsTime + connectTime + sslTime + waitTime),
        totalTime: isNear(totalTime, responseTime + receiveTime),
      };
    },
    answers: { responseTime: true, totalTime: true },
  },
];
