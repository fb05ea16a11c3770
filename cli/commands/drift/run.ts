import { stacksOf } from "../../../engine/stacks";
import { EndpointMonitoringError } from "../../../api";
import type { Kind } from "../../../provider/kind";
import { type KindName, registry } from "../../../provider/registry";
import type { Session } from "../../../provider/session";
import { type ExitCode, listOf, type Invocation } from "../../command";
import type { DriftValues } from "./options";
import { acceptAll } from "./accept";
import { driftDocument, type ReferenceNames } from "./report";
import { type OtherManagers, readOtherManagers } from "./other-managers";
import { fixAll } from "./fix";
import { IgnoreList } from "./ignore-list";
import { withReplacements } from "./plan";
import type { DriftReport, UnreadResources } from "./data";
import { compareStack, unseenProperties } from "./stacks";
import { noteRecreated, recordKey, type UnmanagedFinding, unmanagedRecords } from "./unmanaged";
import { Project } from "../../../engine/project";
import { dateOf } from "../../../engine/io";
import { chosenKinds } from "../../kinds";
import type { Output } from "../../report/output";
import { checkFiles, present } from "../../report/present";
import { counted } from "../../../common/text";
import { sameRecord, sameRecordText } from "../../../plan/same-record";
import { type SharedRecord, sharedRecords } from "../../../plan/shared-records";
import { UsageError } from "../../../common/errors";
import type { ComparedStack, DriftScope } from "./model";

export async function run(values: DriftValues, { out, io }: Invocation): Promise<ExitCode> {
  const [fixes, looksForUnmanaged] = [values.fix ?? false, !values["no-unmanaged"]];
  if (fixes && values.accept) {
    throw new UsageError(
      "--fix and --accept cannot be used together, because --fix changes the service and --accept changes the program",
    );
  }
  if (values["all-stacks"] && values.stack) throw new UsageError("--all-stacks and --stack cannot be used together");
  if (values["keep-state"] && !values.accept) throw new UsageError("--keep-state requires --accept");
  checkFiles(values);
  const { only } = values;
  // The cast is necessary, because `Object.keys` returns the registry's keys as strings.
  const kinds = new Set(only ? chosenKinds(listOf(only)).map(({ name }) => name) : (Object.keys(registry) as KindName[]));

  const project = Project.open(io);
  const scope: DriftScope = { kinds, ignores: IgnoreList.of(project.folder, dateOf(io)) };
  const stacks = await stacksOf(project, [...new Set(values.stack)], values["all-stacks"]);
  const comparedNames = looksForUnmanaged ? new Set(stacks.map(({ name }) => name)) : undefined;
  const otherManagers = await readOtherManagers(project, comparedNames, values["managed-by"] ?? [], out);

  // With `--fix` or `--accept`, the command searches for unmanaged records after it has made its changes.
  const listsAll = looksForUnmanaged && !fixes && !values.accept;
  const before: ComparedStack[] = [];
  const sessions = new Map<string, Session>();
  for (const stack of stacks) {
    out.progress(`Comparing stack ${stack.name}`);
    if (stacks.length > 1) out.count(before.length + 1, stacks.length, "stacks");
    before.push(await compareStack(stack, sessions, { ...scope, listsAll }));
  }
  throwIfAllFailed(before);
  for (const group of sameRecord(before.flatMap(({ managed }) => managed))) {
    const { message, fix } = sameRecordText(group);
    out.warn(`${message}. To fix it: ${fix}`);
  }

  const done = fixes
    ? await fixAll(before, scope, out)
    : values.accept
      ? await acceptAll(project, before, scope, out, values["keep-state"] ?? false)
      : undefined;
  const compared = done?.compared ?? before;
  const report = await reportOf(compared, otherManagers, looksForUnmanaged ? scope : undefined, out);
  if (done) Object.assign(report, fixes ? { fixed: done.outcome } : { accepted: done.outcome });
  // If drift remains after a fix, a second fix would not help, so the report does not suggest it.
  if (!fixes) report.stacks = compared.map(withReplacements);
  const isEveryStack = stacks.length === (await project.stackNames()).length;
  const isAll = only === undefined && values.stack === undefined && isEveryStack && report.failures.length === 0;
  Object.assign(report, entriesToLookAt(scope.ignores, isAll, report.unmanaged !== undefined));
  const unwritten = present(driftDocument(report, referenceNames(compared), values.details), values, out, io);
  const failures = [...report.failures, ...(done?.outcome.failures ?? []), ...(unwritten === undefined ? [] : [unwritten])];
  for (const failure of failures) out.error(failure);
  if (done?.interrupted) return 130;
  if (failures.length > 0) return 1;
  return report.drift ? 2 : 0;
}

/** @throws UsageError or an API client error if no stack could be read */
function throwIfAllFailed(compared: readonly ComparedStack[]): void {
  const errors = compared.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (first === undefined || errors.length < compared.length) return;
  if (new Set(errors.map(({ message }) => message)).size === 1) throw first;
  throw new UsageError(compared.map(({ stack, error }) => `stack ${stack.name}: ${error?.message ?? ""}`).join(" "), "work");
}

/**
 * @param unmanagedScope scope of the search for unmanaged records, or undefined if the report omits them
 * @throws API client errors if the report would be empty
 */
async function reportOf(
  compared: readonly ComparedStack[],
  otherManagers: OtherManagers,
  unmanagedScope: DriftScope | undefined,
  out: Output,
): Promise<DriftReport> {
  const failures = compared.flatMap(({ stack, error }) =>
    error ? [`stack ${stack.name} could not be compared: ${error.message}`] : [],
  );
  for (const { drift } of compared) {
    for (const group of drift.unread ?? []) failures.push(unreadText(drift.stack, group));
  }
  let unmanagedFindings: UnmanagedFinding[] | undefined;
  // A stack that could not be read may manage any record, so the command cannot identify unmanaged records.
  const unread = [...compared.flatMap(({ stack, resources }) => (resources ? [] : [stack.name])), ...otherManagers.unread];
  if (unmanagedScope && unread.length > 0) {
    out.warn(`unmanaged records are not known: ${unread.join(", ")} may manage them, but could not be read`);
  } else if (unmanagedScope) {
    out.progress("Looking for unmanaged records");
    try {
      unmanagedFindings = await unmanagedRecords(compared, otherManagers.managed, unmanagedScope, (id, { message }) => {
        failures.push(`unmanaged records of account group ${id ?? "of the token"} are not known: ${message}`);
      });
    } catch (error) {
      const sawNothing = compared.every(({ managed }) => managed.length === 0);
      if (!(error instanceof EndpointMonitoringError) || sawNothing) throw error;
      failures.push(`unmanaged records are not known: ${error.message}`);
    }
  }
  let shared: SharedRecord[] = [];
  try {
    shared = await sharedRecords(compared, otherManagers.managed);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    failures.push(`could not check for duplicate records: ${error.message}`);
  }
  const ignoredUnmanaged: DriftReport["ignoredUnmanaged"] = [];
  noteRecreated(compared, unmanagedFindings ?? []);
  const unmanaged = unmanagedFindings
    ?.map(({ record }) => record)
    .filter((record) => {
      const [entry] = unmanagedScope?.ignores.entriesFor(record) ?? [];
      if (!entry) return true;
      unmanagedScope?.ignores.use(entry);
      ignoredUnmanaged.push({ ...record, reason: entry.reason, until: entry.until });
      return false;
    });
  const stacks = compared.map(({ drift }) => drift);
  const differs = stacks.some(({ changed, missing }) => changed.length + missing.length > 0);
  return {
    drift: differs || (unmanaged ?? []).length > 0 || shared.length > 0,
    stacks,
    ...(shared.length > 0 && { shared }),
    ...(unread.length > 0 && { unread }),
    ...(unmanaged && { unmanaged }),
    ...(ignoredUnmanaged.length > 0 && { ignoredUnmanaged }),
    unseen: unseenProperties(compared),
    failures,
  };
}

const maxUnreadNames = 10;

function unreadText(stack: string, { accountGroupId, resources, message }: UnreadResources): string {
  const names = resources.slice(0, maxUnreadNames).map(({ name }) => name);
  if (resources.length > names.length) names.push(`${resources.length - names.length} more`);
  const group = accountGroupId === undefined ? "" : ` in account group ${accountGroupId}`;
  return `${counted(resources.length, "resource")} of stack ${stack}${group} could not be read (${names.join(", ")}): ${message}`;
}

/** @param isAll whether all stacks and resource types were compared, so that ignore entries without matching drift are superfluous */
function entriesToLookAt(ignores: IgnoreList, isAll: boolean, knowsUnmanaged: boolean): Pick<DriftReport, "ignoreList"> {
  const unused = ignores.unused.filter(({ property }) => isAll && (knowsUnmanaged || property !== undefined));
  return ignores.expired.length + unused.length > 0 ? { ignoreList: { expired: ignores.expired, unused } } : {};
}

function referenceNames(compared: readonly ComparedStack[]): ReferenceNames {
  const managed = compared.flatMap((comparedStack) => comparedStack.managed);
  const names = new Map(managed.map(({ kindName, id, name }) => [recordKey(kindName, id), name] as const));
  return (kindName, property, value) => {
    const kind: Kind = registry[kindName];
    const target = kind.refersTo[property];
    return target !== undefined && typeof value === "string" ? names.get(recordKey(target, value)) : undefined;
  };
}
