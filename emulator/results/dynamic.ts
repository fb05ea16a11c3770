import type { StoredTest } from "../model/tests";
import type { StoreRow } from "../store";

/** Returns the members that only rows of dynamic tests have. Sessions of every protocol are measured by TCP connections. */
export function dynamicRecord({ body }: StoreRow<StoredTest>) {
  const application = "application" in body ? String(body.application) : undefined;
  return { application, protocol: "tcp", tcpProbeMode: body.tcpProbeMode };
}
