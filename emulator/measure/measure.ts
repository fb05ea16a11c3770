import type { EmulatorSettings } from "../settings";
import { type MeasuredRequest } from "./exchange";
import { fetchOnce, type HttpFigures } from "./http";
import type { LoadMeter, LoadMetrics } from "./load";
import { networkProfile, platformHere, userHere } from "./machine";
import { addressOf, mayContact, type Target, targetOf } from "./targets";
import { probe, type ProbeFigures, reasonOf } from "./tcp";

/** A measurement of one target, which an agent performs for a test in a round. */
export interface MeasurementPlan {
  readonly target: Target;
  readonly ipVersion: string;
  readonly network: boolean;
  readonly http?: MeasuredRequest;
}

export interface TargetMeasurement {
  /** Start time in milliseconds since 1970, according to the service's clock. */
  readonly startedAt: number;
  readonly target: Target;
  readonly serverIp?: string;
  readonly sourceIp?: string;
  readonly network?: ProbeFigures;
  readonly http?: HttpFigures;
  readonly networkProfile?: ReturnType<typeof networkProfile>;
  readonly systemMetrics: LoadMetrics;
  readonly userProfile?: ReturnType<typeof userHere>;
  readonly platform: string;
}

/** The emulator measures a target on another machine only if the option `allowTargets` allows the target. */
export function isMeasurable({ target, http }: MeasurementPlan, { allowTargets }: EmulatorSettings): boolean {
  return mayContact(target, allowTargets) && (!http || mayContact(targetOf(new URL(http.url)), allowTargets));
}

/** @throws if `end` is aborted */
export async function measure(
  plan: MeasurementPlan,
  { allowTargets, now }: EmulatorSettings,
  meter: LoadMeter,
  end: AbortSignal,
): Promise<TargetMeasurement> {
  const { target, ipVersion } = plan;
  const startedAt = now();
  let serverIp: string | undefined;
  let network: ProbeFigures | undefined;
  if (plan.network) {
    try {
      const ip = await addressOf(target, ipVersion, allowTargets);
      serverIp = ip.address;
      network = await probe(ip, target.port, end);
    } catch (failure) {
      end.throwIfAborted();
      network = { sent: 0, received: 0, loss: 100, error: reasonOf(failure, "") };
    }
  }
  const http = plan.http && (await fetchOnce(plan.http, allowTargets, end));
  const sourceIp = network?.sourceIp ?? http?.sourceIp;
  return {
    startedAt,
    target,
    serverIp: serverIp ?? http?.serverIp,
    sourceIp,
    network,
    http,
    networkProfile: networkProfile(sourceIp ?? target.host),
    systemMetrics: meter.read(),
    userProfile: userHere(),
    platform: platformHere(),
  };
}
