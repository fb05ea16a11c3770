import type { z } from "zod";
import type { agentSelectorConfig } from "../../api/schemas";
import type { HandlerCall } from "../handler";
import type { StoreRow } from "../store";
import { selectors, type StoredTest, type ModelTestKind } from "./tests";

/** @param self URL of the test's self link */
export function testRecord<T extends StoredTest, R extends { testId: string }>(
  { link }: Pick<HandlerCall, "link">,
  kind: ModelTestKind<T, R>,
  { id, aid, body }: StoreRow<T>,
  self: string,
) {
  const results = `${kind.results}/${id}`;
  return {
    ...kind.own(body),
    testId: id,
    aid,
    testName: body.testName,
    interval: body.interval,
    protocol: body.protocol,
    ipVersion: body.ipVersion,
    tcpProbeMode: body.tcpProbeMode,
    isEnabled: body.isEnabled,
    isPrioritized: body.isPrioritized,
    networkMeasurements: body.networkMeasurements,
    hasPathTraceInSession: body.hasPathTraceInSession,
    createdDate: body.createdDate,
    modifiedDate: body.modifiedDate,
    labels: [],
    agentSelectorConfig: selectorConfig(body),
    _links: {
      self: { href: self },
      // In the documentation's samples, the links of tests contain `pathvis`, but the public path of the operation contains `path-vis`.
      testResults: [{ href: link(`${results}/network/filter`) }, { href: link(`${results}/pathvis`) }],
    },
  };
}

function selectorConfig(test: StoredTest): z.output<typeof agentSelectorConfig> {
  const { agentSelectorType, maxMachines } = test;
  const { companion } = selectors[agentSelectorType];
  return { agentSelectorType, maxMachines, ...(companion && { [companion]: test[companion] }) };
}
