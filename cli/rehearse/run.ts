import { type Answer, type ClientOptions, readSettings, type Settings, UnauthorizedError } from "../../api";
import { rehearsalVariable } from "../../api/rehearsal";
import { type AccountOf, startTwin, type TimedRequest, type Twin } from "../../emulator/twin/start";
import type { AgentsOfTest } from "../../emulator/twin/running";
import { stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { startedOrExplained } from "../emulator";
import { previewStack, type StackPreview } from "../engine/preview";
import { engineError, targetArguments } from "../engine/run";
import { type ProjectStack, sessionOf } from "../engine/stack";
import { type EngineResource, kindNameOf, managedAmong, nameOfUrn } from "../engine/state";
import { stackReference, TwinStack } from "../engine/twin-stack";
import type { Carried, UpdateFailure, UpdateStep } from "../engine/update";
import { closeAtEnd, type Io } from "../io";
import { licensePeaks, roleLabels } from "../operation/account-facts";
import { operationOf } from "../operation/operation";
import { askReferences, lossPhrases, lostBy } from "../operation/references";
import { settled } from "../operation/settle";
import type { Output } from "../report/output";
import type { Phrase } from "../report/phrase";
import { counted, few } from "../report/text";
import { Account, Answers, readOnly } from "./account";
import { budgetOf, delayUnder } from "./forecast";
import type { Rehearsal, TestDifference } from "./rehearsal";

export type TwinFacts = NonNullable<Parameters<typeof startTwin>[1]>;
export interface Rehearsed {
  readonly rehearsal: Rehearsal;
  readonly twin: Twin;
}

/**
 * Copies the account and the state of a stack, and runs its update on the copies.
 *
 * @param facts what reads do not tell of the account, and where the copy listens
 * @throws UsageError where it cannot be rehearsed, EndpointMonitoringError where the account cannot be read, InterruptedError
 */
export async function rehearse(stack: ProjectStack, facts: TwinFacts, out: Output, io: Io): Promise<Rehearsed> {
  const settings = readSettings(await stack.configured(), io.env);
  const answers = new Answers();
  const accountOf = (client: ClientOptions, ownAccount: boolean): Promise<Account> => {
    const onAnswer = (answer: Answer): void => answers.note(answer, ownAccount);
    return Account.of(sessionOf(io, { ...settings, client: { ...client, onAnswer } }, readOnly));
  };
  out.progress("Copying the account");
  const account = await accountOf(settings.client, true);
  const accounts = [account];
  const accountOfOthers: AccountOf = async (credentials) => {
    try {
      const other = await accountOf({ ...settings.client, ...noCredentials, ...credentials }, false);
      accounts.push(other);
      return other;
    } catch (error) {
      // So it does in the update.
      if (error instanceof UnauthorizedError) return undefined;
      throw error;
    }
  };
  const twin = await startedOrExplained(startTwin(account, facts, accountOfOthers));
  closeAtEnd(io, () => twin.close());

  const twinStack = await TwinStack.of(stack, instead(settings, twin));
  const managed = managedAmong(twinStack.name, twinStack.held.resources);
  const own = managed.flatMap(({ outputs }) => stringOf(outputs["accountGroupId"]) ?? []);
  await twin.copy([settings.accountGroupId ?? account.accountGroups[0].aid, ...own]);

  const preview = await previewOn(twinStack, out);
  const { targets, leftOut } = othersLeftOut(twinStack, preview);
  const references = preview ? await referencesLost(account, preview, settings.accountGroupId) : [];
  const accountGroupId = settings.accountGroupId ?? account.accountGroups[0].aid;
  const [licenses, role] = await Promise.all([
    licensePeaks(account.client, accountGroupId),
    roleLabels(account.client, accountGroupId),
  ]);
  out.progress("Rehearsing the update");
  const earlier = twin.requests().length;
  const began = performance.now();
  let done = 0;
  const update = await twinStack.update(targets, () =>
    out.count((done += 1), undefined, done === 1 ? "resource" : "resources"),
  );
  const lasted = performance.now() - began;
  if (update.run.interrupted) throw engineError("The rehearsal", update.run);
  if (twin.failure() !== undefined) throw twin.failure();
  requireReferences(update.steps);
  const requests = twin.requests().slice(earlier);
  const { limit } = answers;
  const delay = limit === undefined ? 0 : await delayUnder(limit, requests);
  const tests = differences(twin);
  const bringBack = twin.remember();
  const failures = await allFailures(twinStack, targets, update, out);
  const second = failures.length === 0 ? await secondUpdate(twinStack, targets, out) : undefined;
  const destroy = failures.length === 0 ? await destroyNew(twinStack, update.steps, out) : undefined;
  // Whoever looks at the copy afterwards looks at what the update leaves.
  bringBack();
  if (twin.failure() !== undefined) throw twin.failure();
  return {
    twin,
    rehearsal: {
      stack: stack.name,
      copy: {
        accountGroups: twin.copied(),
        records: sum(accounts.map(({ records }) => records)),
        agents: sum(accounts.map(({ agents }) => agents)),
        reads: answers.count,
        refused: twin.refused(),
      },
      update: {
        changes: changesIn(update.steps),
        failures,
        requests: countsOf(requests),
        ...(limit !== undefined && { limit }),
        seconds: Math.round((lasted + delay) / 1_000),
      },
      tests,
      licenses,
      ...(role && { role }),
      references,
      ...(second && { second }),
      ...(destroy && { destroy }),
      strayed: twin.strayed(),
      leftOut,
      measured: requests.filter(({ operation }) => budgetOf(operation) === "instant").length,
    },
  };
}

/** Reads from the account the alert rules and streams that name records which the update deletes or replaces: the copy has none. */
async function referencesLost(account: Account, preview: StackPreview, accountGroupId: string | undefined): Promise<Phrase[]> {
  const operation = operationOf(preview);
  const steps = settled(operation, undefined);
  const lost = await askReferences(account, steps, accountGroupId);
  return lossPhrases(
    steps.map((step) => ({ ...step, referrers: { found: lostBy(operation, step, lost), unasked: lost.unasked } })),
  );
}

const noCredentials = { token: undefined, clientId: undefined, clientSecret: undefined, serviceBearerToken: undefined };

/** Returns the settings that lead the engine to the twin. They hold neither the address nor the credentials of the service. */
function instead({ client }: Settings, twin: Twin): Parameters<typeof TwinStack.of>[1] {
  const values = new Map(
    [
      [client.baseUrl, twin.url],
      [client.token, twin.token],
      [client.clientId, twin.clientId],
      [client.clientSecret, twin.clientSecret],
      [client.serviceBearerToken, twin.token],
    ].flatMap(([given, own]) => (given === undefined || own === undefined ? [] : [[given, own] as const])),
  );
  return { values, environment: { [rehearsalVariable]: `${twin.url} ${client.baseUrl}` } };
}

async function previewOn(stack: TwinStack, out: Output): Promise<StackPreview | undefined> {
  out.progress("Previewing the update");
  try {
    return await previewStack(stack, "The preview failed", ["--show-sames"]);
  } catch (error) {
    // The update reports the error better.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * How an update of the copy leaves resources of other providers alone, which it would really change: by targets that name all others.
 *
 * @throws UsageError where that is not possible
 */
function othersLeftOut(stack: TwinStack, preview: StackPreview | undefined): { targets: string[]; leftOut: number } {
  const planned = preview?.steps.flatMap(({ newState, oldState }) => newState ?? oldState ?? []) ?? [];
  const others = new Map([...stack.held.resources, ...planned].filter(isOfOthers).map((resource) => [resource.urn, resource]));
  if (others.size === 0) return { targets: [], leftOut: 0 };
  const types = few([...new Set([...others.values()].map(({ type }) => type))], 3);
  const whose = `Stack ${stack.name} has resources of other providers (${types}), which a rehearsal leaves alone`;
  if (!preview) throw new UsageError(`${whose}, and its preview fails: \`pulumi preview\` says why`, "work");
  const fresh = new Set(
    preview.steps.filter(({ op, urn }) => op !== "same" && op !== "delete" && others.has(urn)).map(({ urn }) => urn),
  );
  const needy = planned.find(
    (resource) =>
      kindNameOf(resource.type) !== undefined &&
      [
        resource.parent ?? "",
        ...(resource.dependencies ?? []),
        ...Object.values(resource.propertyDependencies ?? {}).flatMap((urns) => urns ?? []),
      ].some((urn) => fresh.has(urn)),
  );
  if (needy) {
    throw new UsageError(
      `${whose}; but ${nameOfUrn(needy.urn)} depends on one that is new or changes, so it cannot be rehearsed`,
      "work",
    );
  }
  return {
    targets: targetArguments(planned.filter(({ urn }) => !others.has(urn)).map(({ urn }) => urn)),
    leftOut: others.size,
  };
}

/** Whether another provider stands behind a resource: neither ours nor the engine itself. */
function isOfOthers({ type, custom }: EngineResource): boolean {
  return custom !== false && kindNameOf(type) === undefined && !type.startsWith("pulumi:");
}

/** Most updates that look for further failures. */
const maxPasses = 5;

/**
 * All that fails: a failure ends the program, and with it what has not begun by then. So the update is repeated without what has
 * failed, until nothing more does.
 */
async function allFailures(
  stack: TwinStack,
  targets: readonly string[],
  first: Carried,
  out: Output,
): Promise<UpdateFailure[]> {
  const failures: UpdateFailure[] = [];
  for (let [pass, update] = [1, first]; ; pass += 1) {
    const known = new Set(failures.map(({ reason }) => reason));
    const fresh = update.failures.filter(({ reason }) => !known.has(reason));
    failures.push(...fresh);
    const failed = new Set(failures.flatMap(({ urn }) => urn ?? []));
    // Targets and exclusions are not taken together.
    if (!fresh.some(({ urn }) => urn !== undefined) || pass > maxPasses || targets.length > 0) return failures;
    out.progress("Looking for further failures");
    update = await stack.update([...[...failed].flatMap((urn) => ["--exclude", urn]), "--exclude-dependents"], () => undefined);
    if (update.run.interrupted) throw engineError("The rehearsal", update.run);
  }
}

/** @throws UsageError where the program reads a stack of which there is no copy: the failure is the rehearsal's alone */
function requireReferences(steps: readonly UpdateStep[]): void {
  const missing = steps.filter(({ type, failed }) => failed && type === stackReference).map(({ urn }) => nameOfUrn(urn));
  if (missing.length === 0) return;
  throw new UsageError(
    `The program reads ${few(missing)}, and a rehearsal has copies only of stacks in a file backend that the last update read, too`,
    "work",
  );
}

function changesIn(steps: readonly UpdateStep[]): Record<string, number> {
  const ours = steps.filter(({ type, failed, op }) => !failed && op !== "same" && kindNameOf(type) !== undefined);
  const counts = Map.groupBy(ours, ({ op }) => op);
  return Object.fromEntries([...counts].map(([op, all]) => [op, all.length]));
}

function countsOf(requests: readonly TimedRequest[]): Rehearsal["update"]["requests"] {
  const counts = Map.groupBy(requests, ({ operation }) => operation);
  const sorted = [...counts].map(([operation, all]) => [operation, all.length] as const).toSorted((a, b) => b[1] - a[1]);
  return { total: requests.length, operations: Object.fromEntries(sorted) };
}

function differences(twin: Twin): TestDifference[] {
  const { before, after } = twin.agentsOfTests();
  const [was, is] = [new Map(before.map((test) => [test.id, test])), new Map(after.map((test) => [test.id, test]))];
  const roomless = (test: AgentsOfTest | undefined): number =>
    test?.isEnabled === true ? test.assigned.length - test.running.length - test.undecided.length : 0;
  const names = (ids: readonly string[] = [], others: readonly string[] = []): string[] => {
    const known = new Set(others);
    return ids.filter((one) => !known.has(one)).map((one) => twin.agentName(one));
  };
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id): TestDifference[] => {
    const [old, now] = [was.get(id), is.get(id)];
    const [started, stopped] = [names(now?.running, old?.running), names(old?.running, now?.running)];
    const [withoutRoom, withoutRoomBefore] = [roomless(now), roomless(old)];
    if (old && now && started.length === 0 && stopped.length === 0 && withoutRoom <= withoutRoomBefore) return [];
    return [
      {
        id,
        testName: (now ?? old)?.testName ?? "",
        accountGroupId: (now ?? old)?.aid ?? "",
        ...(old && { before: old.running.length }),
        ...(now && { after: now.running.length, undecided: now.undecided.length }),
        started,
        stopped,
        withoutRoom,
        withoutRoomBefore,
      },
    ];
  });
}

async function secondUpdate(stack: TwinStack, targets: readonly string[], out: Output): Promise<Rehearsal["second"]> {
  out.progress("Previewing a second update");
  const { own } = operationOf(await previewStack(stack, "A second update would fail", targets));
  return own.filter(({ op }) => op !== "same").map(({ op, urn, name }) => ({ op, urn, name }));
}

async function destroyNew(stack: TwinStack, steps: readonly UpdateStep[], out: Output): Promise<Rehearsal["destroy"]> {
  const created = steps.filter(({ op, type, failed }) => op === "create" && !failed && kindNameOf(type) !== undefined);
  if (created.length === 0) return undefined;
  const isNew = new Set(created.map(({ urn }) => urn));
  out.progress(`Destroying ${counted(created.length, "new resource")} of the copy`);
  const {
    run,
    failures,
    steps: done,
  } = await stack.destroy(
    created.map(({ urn }) => urn),
    () => undefined,
  );
  if (run.interrupted) throw engineError("The rehearsal", run);
  const deleted = done.filter(({ op, urn, failed }) => op === "delete" && !failed && isNew.has(urn));
  return { resources: created.length, deleted: deleted.length, failures };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
