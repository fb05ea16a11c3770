import { type Answer, type ClientOptions, readSettings, type Settings, UnauthorizedError } from "../../../api";
import { rehearsalVariable } from "../../../api/rehearsal";
import { type AccountOf, startTwin, type AccountTwin } from "../../../emulator/twin/start";
import type { AgentsOfTest } from "../../../emulator/twin/running";
import { stringOf } from "../../../provider/values";
import { startedOrExplained } from "../emulator/run";
import { changesNothing, previewStack } from "../../../engine/preview";
import type { StackPreview } from "../../../engine/preview-output";
import { targetArguments } from "../../../engine/run";
import { type ProjectStack, sessionOf } from "../../../engine/stack";
import { type EngineResource, kindNameOf, managedAmong, nameOfUrn } from "../../../engine/state";
import { TwinStack } from "../../../engine/twin-stack";
import { closeAtEnd, type Io } from "../../../engine/io";
import { licensePeaks, roleLabels } from "../../../plan/account-facts";
import { askReferences, lossPhrases, lostBy } from "../../../plan/references";
import { settled } from "../../../plan/settle";
import type { Output } from "../../report/output";
import type { Phrase } from "../../../common/phrase";
import { few } from "../../../common/text";
import { announce } from "../review/announce";
import { judge } from "../../../plan/judge/judge";
import { Account, AccountAnswers, readOnly } from "./account";
import { budgetOf, delayUnder } from "./forecast";
import type { Rehearsal, TestDifference } from "./report";
import { UsageError } from "../../../common/errors";
import { operationOf } from "../../../plan/steps";
import { allFailures, requireReferences, isDone, tally, secondUpdate, destroyNew } from "./twin-update";

/**
 * Copies the account and the state of a stack, and runs the stack's update on the copies.
 *
 * @param facts account properties that the API does not return
 * @throws UsageError if the stack cannot be rehearsed
 * @throws EndpointMonitoringError if the account cannot be read
 * @throws InterruptedError
 */
export async function rehearse(
  stack: ProjectStack,
  facts: NonNullable<Parameters<typeof startTwin>[1]>,
  out: Output,
  io: Io,
): Promise<{ rehearsal: Rehearsal; twin: AccountTwin }> {
  // The engine exports the state while the command copies the account. If the export fails, a later call that needs the state reports the
  // error.
  stack.exported().catch(() => undefined);
  const settings = readSettings(await stack.configured(), io.env);
  out.progress("Copying the account");
  const { account, accounts, accountOfOthers, answers } = await accountsOf(settings, io);
  const accountGroupId = settings.accountGroupId ?? account.accountGroups[0].aid;
  const twin = await startedOrExplained(startTwin(account, facts, accountOfOthers));
  closeAtEnd(io, () => twin.close());
  const copy = await TwinStack.of(stack, replacements(settings, twin), {
    [rehearsalVariable]: `${twin.url} ${settings.client.baseUrl}`,
  });
  const managed = managedAmong(copy.name, copy.resources);
  const ownGroups = managed.flatMap(({ outputs }) => stringOf(outputs["accountGroupId"]) ?? []);
  await twin.copy([accountGroupId, ...ownGroups]);

  const preview = await previewOn(copy, out);
  const { targets, leftOut } = othersLeftOut(copy, preview);
  if (preview) await showReview(stack, preview, { ...settings, client: { baseUrl: twin.url, token: twin.token } }, out, io);
  const references = preview ? await referencesLost(account, preview, settings.accountGroupId) : [];
  const [licenses, role] = await Promise.all([
    licensePeaks(account.client, accountGroupId),
    roleLabels(account.client, accountGroupId),
  ]);
  out.progress("Rehearsing the update");
  const earlier = twin.requests().length;
  const began = performance.now();
  let done = 0;
  const update = await copy.update(targets, () => out.count((done += 1), undefined, done === 1 ? "resource" : "resources"));
  const lasted = performance.now() - began;
  if (twin.failure() !== undefined) throw twin.failure();
  requireReferences(update.steps);
  const operations = twin.requests().slice(earlier);
  const { limit } = answers;
  const delay = limit === undefined ? 0 : await delayUnder(limit, operations);
  const tests = differences(twin);
  const bringBack = twin.remember();
  const failures = await allFailures(copy, targets, update.failures, out);
  const isWell = failures.length === 0;
  // If the update changed nothing, a second preview would have the same result.
  const isUnchanged = update.steps.every(({ op }) => changesNothing.has(op));
  const second = !isWell ? undefined : isUnchanged ? [] : await secondUpdate(copy, targets, out);
  const destroy = isWell ? await destroyNew(copy, update.steps, out) : undefined;
  bringBack();
  if (twin.failure() !== undefined) throw twin.failure();
  return {
    twin,
    rehearsal: {
      stack: stack.name,
      copy: {
        accountGroups: twin.copied(),
        records: accounts.reduce((sum, { records }) => sum + records, 0),
        agents: accounts.reduce((sum, { agents }) => sum + agents, 0),
        reads: answers.count,
        refused: twin.refused(),
      },
      update: {
        changes: tally(update.steps.filter((step) => isDone(step) && step.op !== "same").map(({ op }) => op)),
        failures,
        requests: { total: operations.length, operations: tally(operations.map(({ operation }) => operation)) },
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
      measured: operations.filter(({ operation }) => budgetOf(operation) === "instant").length,
    },
  };
}

/**
 * Opens the stack's own account. The command reads an explicit provider's account only after a request with that provider's credentials.
 */
async function accountsOf(settings: Settings, io: Io) {
  const answers = new AccountAnswers();
  const accounts: Account[] = [];
  const read = async (client: ClientOptions, isOwn: boolean): Promise<Account> => {
    const onAnswer = (answer: Answer): void => answers.note(answer, isOwn);
    const account = await Account.of(sessionOf(io, { ...settings, client: { ...client, onAnswer } }, readOnly));
    accounts.push(account);
    return account;
  };
  const none = { token: undefined, clientId: undefined, clientSecret: undefined, serviceBearerToken: undefined };
  const accountOfOthers: AccountOf = async (credentials) => {
    try {
      return await read({ ...settings.client, ...none, ...credentials }, false);
    } catch (error) {
      // In the real update, the service would also refuse credentials that it refuses now.
      if (error instanceof UnauthorizedError) return undefined;
      throw error;
    }
  };
  return { account: await read(settings.client, true), accounts, accountOfOthers, answers };
}

/**
 * Finds alert rules and streams that refer to deleted or replaced records. The function requests alert rules and streams from the service,
 * because the copy does not contain them.
 */
async function referencesLost(account: Account, preview: StackPreview, accountGroupId: string | undefined): Promise<Phrase[]> {
  const operation = operationOf(preview);
  const steps = settled(operation, undefined);
  const lost = await askReferences(account, steps, accountGroupId);
  return lossPhrases(
    steps.map((step) => ({ ...step, referrers: { references: lostBy(operation, step, lost), unasked: lost.unasked } })),
  );
}

/** Replaces the service's base URL and credentials, so that the engine cannot contact the service. */
function replacements({ client }: Settings, twin: AccountTwin): ReadonlyMap<string, string> {
  const pairs = [
    [client.baseUrl, twin.url],
    [client.token, twin.token],
    [client.clientId, twin.clientId],
    [client.clientSecret, twin.clientSecret],
    [client.serviceBearerToken, twin.token],
  ] as const;
  return new Map(pairs.flatMap(([declared, twinValue]) => (declared === undefined ? [] : [[declared, twinValue] as const])));
}

async function showReview(stack: ProjectStack, preview: StackPreview, settings: Settings, out: Output, io: Io): Promise<void> {
  const source = { operation: operationOf(preview), session: () => Promise.resolve(sessionOf(io, settings, readOnly)) };
  await announce(await judge(source, out), stack.project.folder, out);
}

async function previewOn(stack: TwinStack, out: Output): Promise<StackPreview | undefined> {
  out.progress("Previewing the update");
  try {
    return await previewStack(stack, "The preview failed", ["--show-sames", "--show-replacement-steps"]);
  } catch (error) {
    // The rehearsed update reports the error with more details.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * Finds resources of other providers, because an update of the copy would change their real infrastructure.
 *
 * @throws UsageError if this package's resources depend on resources of another provider
 */
function othersLeftOut(stack: TwinStack, preview: StackPreview | undefined): { targets: string[]; leftOut: number } {
  const planned = preview?.steps.flatMap(({ newState, oldState }) => newState ?? oldState ?? []) ?? [];
  const isOfOthers = ({ type, custom }: EngineResource): boolean =>
    custom !== false && kindNameOf(type) === undefined && !type.startsWith("pulumi:");
  const others = new Map([...stack.resources, ...planned].filter(isOfOthers).map((resource) => [resource.urn, resource]));
  if (others.size === 0) return { targets: [], leftOut: 0 };
  const types = few([...new Set([...others.values()].map(({ type }) => type))], 3);
  const excludedText = `Stack ${stack.name} has resources of other providers (${types}), which a rehearsal does not run`;
  if (!preview)
    throw new UsageError(
      `${excludedText}. The rehearsal needs a preview to exclude resources of other providers, but the preview fails. Run \`pulumi preview\` to see the reason`,
      "work",
    );
  const changing = preview.steps.filter(({ op, urn }) => op !== "same" && op !== "delete" && others.has(urn));
  const fresh = new Set(changing.map(({ urn }) => urn));
  const needy = planned.find(({ type, parent = "", dependencies = [], propertyDependencies = {} }) => {
    const sources = [parent, ...dependencies, ...Object.values(propertyDependencies).flatMap((urns) => urns ?? [])];
    return kindNameOf(type) !== undefined && sources.some((urn) => fresh.has(urn));
  });
  if (needy) {
    throw new UsageError(
      `${excludedText}. The update cannot be rehearsed, because ${nameOfUrn(needy.urn)} depends on a new or changed resource of another provider`,
      "work",
    );
  }
  return {
    targets: targetArguments(planned.filter(({ urn }) => !others.has(urn)).map(({ urn }) => urn)),
    leftOut: others.size,
  };
}

function differences(twin: AccountTwin): TestDifference[] {
  const { before, after } = twin.agentsOfTests();
  const byId = (tests: readonly AgentsOfTest[]) => new Map(tests.map((test) => [test.id, test]));
  const [was, is] = [byId(before), byId(after)];
  const withoutRoomOf = (test: AgentsOfTest | undefined): number =>
    test?.isEnabled ? test.assigned.length - test.running.length - test.undecided.length : 0;
  const namesIn = (now: AgentsOfTest | undefined, excluded: AgentsOfTest | undefined): string[] => {
    const others = new Set(excluded?.running);
    return (now?.running ?? []).filter((id) => !others.has(id)).map((id) => twin.agentName(id));
  };
  return [...new Map([...was, ...is]).values()].flatMap(({ id, testName, aid }): TestDifference[] => {
    const [old, now] = [was.get(id), is.get(id)];
    const [started, stopped] = [namesIn(now, old), namesIn(old, now)];
    const [withoutRoom, withoutRoomBefore] = [withoutRoomOf(now), withoutRoomOf(old)];
    if (old && now && started.length === 0 && stopped.length === 0 && withoutRoom <= withoutRoomBefore) return [];
    return [
      {
        id,
        testName,
        accountGroupId: aid,
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
