import { createHash } from "node:crypto";
import { isLoopback } from "../measure/targets";
import { type RecordedRound, resultRecord } from "./rounds";

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

/** Returns the measured path, which has one hop on loopback. Paths to other machines are absent, because a path trace needs raw sockets. */
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

/** Returns the id of a path. As in the documentation's samples, the id is a long number. Equal paths have equal ids. */
function pathId(path: string): string {
  return BigInt(`0x${createHash("sha256").update(path).digest("hex").slice(0, 48)}`).toString();
}
