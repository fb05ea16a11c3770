import { localAgent } from "../fleet/fleet";
import type { AnyTestKind } from "../model/test-kinds";
import type { StoredTest } from "../model/tests";
import { agentsAssigned, agentsRunning, agentsSelected, testsAtOnce } from "../selection";
import type { ServiceData } from "../service";
import type { StoreRow } from "../store";
import { isMeasurable } from "./measure";
import { targetsOf } from "./sessions";

/**
 * Returns the reason why this machine's agent does not measure a test.
 *
 * @param instant whether the test runs only on demand
 */
export function whyNotMeasured(
  world: ServiceData,
  kind: AnyTestKind,
  test: StoreRow<StoredTest>,
  instant: boolean,
): string | undefined {
  const agent = localAgent(world);
  if (!agent || agent.body.deleted) return "Only this machine's agent measures, but this machine has no agent.";
  const isAmong = (agents: readonly { readonly id: string }[]) => agents.some(({ id }) => id === agent.id);
  if (!instant && !test.body.isEnabled) return "The test is disabled.";
  if (agent.aid !== test.aid) return "This machine's agent is in another account group.";
  if (agent.body.status !== "enabled") return "This machine's agent is disabled.";
  if (!isAmong(agentsSelected(world, test)))
    return "The test does not select this machine's agent, and only that agent measures.";
  if (!isAmong(agentsAssigned(world, test))) {
    return `This machine is not among the first ${test.body.maxMachines} agents of the test (maxMachines).`;
  }
  if (!instant && !isAmong(agentsRunning(world, test))) {
    const { licenseType } = agent.body;
    return `The license of this machine's agent is full: ${licenseType} runs ${testsAtOnce[licenseType]} tests at once, and other tests have priority.`;
  }
  const plans = kind.plans(test.body, targetsOf(world, test.id, test.aid));
  if (plans.length === 0) return "No session of the test's application is open (POST /_emulator/sessions).";
  const { host, port } = plans[0]?.target ?? { host: "", port: 0 };
  if (!plans.some((plan) => isMeasurable(plan, world.settings))) {
    return `The target ${host}:${port} may not be contacted, because it is on another machine and not in --allow-targets.`;
  }
  return undefined;
}
