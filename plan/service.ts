import { type Holdings, readHoldings } from "../provider/reach/holdings";
import type { Session } from "../provider/session";
import type { Progress } from "../common/progress";
import { type LicensePeak, licensePeaks, type RoleLabels, roleLabels } from "./account-facts";
import type { Step } from "./model";
import { askReferences, type LostReferences } from "./references";
import { concerned } from "./worlds";
import { UsageError } from "../common/errors";

export interface ServiceView {
  holdings: Holdings;
  accountGroupIds: string[];
  /** Account group of resources that do not declare `accountGroupId`. */
  defaultAccountGroupId: string | undefined;
  references: LostReferences;
  licenses: LicensePeak[];
  role?: RoleLabels | undefined;
}

/** @throws EndpointMonitoringError, UsageError if no account group is known */
export async function readService(session: Session, planned: readonly Step[], out: Progress): Promise<ServiceView> {
  const { named, byDefault } = concerned(planned);
  const defaultAccountGroupId = byDefault ? await session.accountGroupId() : undefined;
  const accountGroupIds = [...new Set([...named, defaultAccountGroupId].filter((id) => id !== undefined))].toSorted();
  if (accountGroupIds.length === 0) {
    throw new UsageError(
      "the account group is not known. Set endpoint-monitoring:accountGroupId in the stack configuration",
      "work",
    );
  }
  out.progress(`Reading labels, tests and agents of account group ${accountGroupIds.join(", ")}…`);
  const holdings = await readHoldings(session, accountGroupIds);
  const [accountGroupId] = accountGroupIds;
  const [references, licenses, role] = await Promise.all([
    askReferences(session, planned, defaultAccountGroupId),
    licensePeaks(session.client, accountGroupId),
    roleLabels(session.client, accountGroupId),
  ]);
  return { holdings, accountGroupIds, defaultAccountGroupId, references, licenses, role };
}
