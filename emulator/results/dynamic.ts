import type { StoredTest } from "../model/tests";
import type { Row } from "../store";

/** What a row of a dynamic test tells beside the others: sessions are measured with TCP connects, whatever they speak. */
export function dynamicRecord({ body }: Row<StoredTest>) {
  const application = "application" in body ? String(body.application) : undefined;
  return { application, protocol: "tcp", tcpProbeMode: body.tcpProbeMode };
}
