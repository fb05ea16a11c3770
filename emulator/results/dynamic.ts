import type { StoredTest } from "../model/tests";
import type { StoreRow } from "../store";

/** Members that only a row of a dynamic test has: sessions are measured with TCP connects, whatever they speak. */
export function dynamicRecord({ body }: StoreRow<StoredTest>) {
  const application = "application" in body ? String(body.application) : undefined;
  return { application, protocol: "tcp", tcpProbeMode: body.tcpProbeMode };
}
