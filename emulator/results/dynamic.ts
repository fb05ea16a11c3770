import type { StoredTest } from "../model/tests";
import type { StoreRow } from "../store";

/** Returns the additional members of dynamic tests. TCP connections measure the sessions of every protocol. */
export function dynamicRecord({ body }: StoreRow<StoredTest>) {
  const application = "application" in body ? String(body.application) : undefined;
  return { application, protocol: "tcp", tcpProbeMode: body.tcpProbeMode };
}
