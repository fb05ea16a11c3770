import type { StoredTest } from "../model/tests";
import type { StoreRow } from "../store";

/**
 * Returns the additional members of dynamic tests. The emulator measures the sessions of every protocol with TCP connections.
 */
export function dynamicRecord({ body }: StoreRow<StoredTest>) {
  const application = "application" in body ? String(body.application) : undefined;
  return { application, protocol: "tcp", tcpProbeMode: body.tcpProbeMode };
}
