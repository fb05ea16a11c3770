import { createHash } from "node:crypto";
import { isLoopback } from "../measure/targets";
import { type RecordedRound, resultRecord } from "./rounds";

/** Returns a row of path visualization without its paths. */
export function pathRecord(round: RecordedRound, expand?: readonly string[]) {
  const { host, port } = round.target;
  return { ...resultRecord(round, expand), server: `${host}:${port}`, sourceIp: round.sourceIp };
}

export function pathTraces(round: RecordedRound) {
  return pathsOf(round).map(({ hops, ...path }) => ({
    ...path,
    ipAddress: round.serverIp,
    numberOfHops: hops.length,
    responseTime: hops.at(-1)?.responseTime,
  }));
}

export function pathRoutes(round: RecordedRound) {
  return pathsOf(round);
}

/**
 * A measured path on loopback has one hop. The path to another machine would need raw sockets, and a target that did not answer has no
 * path.
 */
function pathsOf({ sourceIp, serverIp, network }: RecordedRound) {
  if (serverIp === undefined || !isLoopback(serverIp) || network?.avgLatency === undefined) return [];
  return [
    {
      pathId: pathId(`${sourceIp} ${serverIp}`),
      protocol: "tcp",
      tcpPathTraceMode: "unknown",
      hops: [{ hop: 1, ipAddress: serverIp, responseTime: Math.round(network.avgLatency) }],
    },
  ];
}

/** Returns the id of a path: a long number as in the samples. Equal paths have equal ids. */
function pathId(path: string): string {
  return BigInt(`0x${createHash("sha256").update(path).digest("hex").slice(0, 48)}`).toString();
}
