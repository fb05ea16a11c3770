import {
  type Answer,
  ConnectionError,
  type ConnectionPhase,
  ForbiddenError,
  NotFoundError,
  operations,
  readSettings,
  type SettingName,
  UnauthorizedError,
  type Unreadable,
} from "../../../api";
import { Http } from "../../../api/http";
import { dateOf } from "../../../api/pacing";
import { httpOptions } from "../../../api/settings";
import type { Session } from "../../../provider/session";
import { sessionOf } from "../../../engine/stack";
import type { Io } from "../../../engine/io";
import type { Output } from "../../report/output";
import { few } from "../../../common/text";
import { checkAccess, checkAccount } from "./access";
import { type Checks, failed, type CheckResult, ok, type Outcome, refusal, skipped, warning } from "./checks";
import { commandFor, type InForce, type StackOf } from "./settings";
import type { HttpResponse } from "../../../api/http-message";

type AccountGroups = Awaited<ReturnType<Session["client"]["accountGroups"]["list"]>>["accountGroups"];

/** Checks the service, from the way to it to what this caller may do there. @returns the checks that a preview builds on */
export async function checkService(
  checks: Checks,
  settings: Outcome<InForce>,
  timeout: number,
  out: Output,
  io: Io,
): Promise<{ session: Session; outcomes: Outcome<unknown>[] }> {
  const greeting = await checks.run("base URL", [settings], (inForce) => greet(inForce, timeout));
  await checks.run("clock", [greeting], compareClocks);

  let latest: Answer["limits"] | undefined;
  const onAnswer = ({ status, limits }: Answer): void => {
    latest = { organization: limits.organization ?? latest?.organization, instant: limits.instant ?? latest?.instant };
    if (status === 429) out.progress("The request budget is used up: waiting until there is a new one");
  };
  const unreadable = new Set<string>();
  const onUnreadable = ({ operation, members }: Unreadable): void => {
    for (const member of members) unreadable.add(`${member} of ${operation}`);
  };
  const given = settings.value?.settings ?? readSettings((name) => noService[name], {});
  const session = sessionOf(io, { ...given, client: { ...given.client, timeout, onAnswer, onUnreadable } });
  const token = await checks.run("token", [settings, greeting], ({ stackOf }) => useToken(session, stackOf));
  const accountGroup = await checks.run("account group", [token, settings], findGroup);
  await checkAccess(checks, session, accountGroup, accountGroup.value ?? given.accountGroupId);
  if (accountGroup.value !== undefined) await checkAccount(checks, session, accountGroup.value);
  if (unreadable.size > 0) await checks.run("answers", [], () => warnOfUnreadable([...unreadable]));
  await checks.run("rate budget", [greeting], () => budgetLeft(latest));
  return { session, outcomes: [greeting, token, accountGroup] };
}

/** Settings of a session that sends nothing, as those in force are not in order. */
const noService: Partial<Record<SettingName, string>> = { baseUrl: "https://nowhere.invalid", token: "none" };

/** Names the members of answers that do not have the documented type. No resource depends on them, so nothing else fails. */
function warnOfUnreadable(members: readonly string[]): CheckResult {
  const message = `the service answers with members that are not as documented, and that are ignored: ${few(members, maxMembers)}`;
  return warning(message, "report them to the authors of this package; functions that read records lack these members");
}

const maxMembers = 5;

/** An answer, with the local time before it was asked for and after it had come. */
interface Greeting {
  answer: HttpResponse;
  asked: number;
  came: number;
}

const phaseTexts: Record<ConnectionPhase, string> = {
  proxy: "its proxy is in the way",
  dns: "looking up its host failed",
  connect: "connecting failed",
  tls: "TLS failed",
  answer: "it was connected to, and did not answer",
};

/** Sends one request without a token. Any answer shows that the service can be reached. */
async function greet({ settings: { client }, stackOf }: InForce, timeout: number): Promise<CheckResult<Greeting>> {
  const { baseUrl } = client;
  const http = new Http(httpOptions({ ...client, timeout }));
  const { method, path } = operations.accountGroups.list;
  const headers = { accept: "application/json" };
  const asked = Date.now();
  try {
    const query = new URLSearchParams();
    const answer = await http.send({ method, path, query, headers, body: undefined, repeatable: true, redact: String });
    const greeting = { answer, asked, came: Date.now() };
    // Without a token the service refuses; some gateways answer 403.
    const through = http.proxy === undefined ? "" : ` through the proxy ${http.proxy}`;
    if ([200, 401, 403, 429].includes(answer.status)) return ok(`${baseUrl} answers${through}`, greeting);
    const problem = `${baseUrl} answers ${answer.status} to ${method} ${path}${through}`;
    if (answer.status >= 500) return failed(problem, "look at the status page of the service, and try again later");
    return failed(`${problem}, which the service does not`, `${commandFor("baseUrl", stackOf)} (its root, without a path)`);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const message = `${baseUrl} cannot be reached: ${phaseTexts[error.phase]} (${error.reason})`;
    return failed(message, phaseFix(error.phase, baseUrl, stackOf));
  } finally {
    await http.close();
  }
}

function phaseFix(phase: ConnectionPhase, baseUrl: string, stackOf: StackOf): string {
  const mistyped = commandFor("baseUrl", stackOf);
  if (phase === "dns") return `correct the host: ${mistyped}; or look at DNS and VPN of this machine`;
  if (phase === "proxy")
    return "correct the proxy in HTTPS_PROXY or ALL_PROXY, or add the host to NO_PROXY if it needs no proxy";
  const curl = `curl -v ${baseUrl}${operations.accountGroups.list.path}`;
  if (phase === "tls") return `${curl} shows the certificate; a company's own authority goes into NODE_EXTRA_CA_CERTS`;
  return `${curl} shows whether a firewall or VPN is in the way; or correct it: ${mistyped}`;
}

/** Differences of clocks: rounding and the time of the answer explain less than the first. From the second on, requests fail. */
const [noticeableOffsetMs, maxOffsetMs] = [10_000, 300_000];

/** Compares the clocks. Dates of answers are whole seconds, cut off, so a time between the two limits is no difference. */
function compareClocks({ answer, asked, came }: Greeting): CheckResult {
  const date = dateOf(answer.headers);
  if (date === undefined) return skipped("not checked: the answer has no date");
  const [least, most] = [asked - (date + 1_000), came - date];
  const off = least > 0 ? least : Math.min(most, 0);
  const difference = `this machine is ${seconds(off)} ${off > 0 ? "ahead of" : "behind"} the service`;
  if (off === 0) return ok("this machine and the service agree");
  if (Math.abs(off) <= noticeableOffsetMs) return ok(difference);
  const message = `${difference}: certificates and tokens may seem expired or not valid yet, and times in results do not fit`;
  const fix = "set the clock: sudo timedatectl set-ntp true";
  return Math.abs(off) > maxOffsetMs ? failed(message, fix) : warning(message, fix);
}

function seconds(ms: number): string {
  const whole = Math.round(Math.abs(ms) / 1_000);
  return whole < 120 ? `${whole} s` : whole < 5_400 ? `${Math.round(whole / 60)} min` : `${Math.round(whole / 3_600)} h`;
}

async function useToken(session: Session, stackOf: StackOf): Promise<CheckResult<AccountGroups | "not shown">> {
  const given = session.settings.client.token !== undefined;
  const accepted = given ? "the token is accepted" : "a token was issued to the client, and is accepted";
  try {
    return ok(accepted, (await session.client.accountGroups.list()).accountGroups);
  } catch (error) {
    // A role may lack the permission to see account groups. The token was accepted before that was decided.
    if (error instanceof ForbiddenError || (error instanceof NotFoundError && error.fromService))
      return ok(accepted, "not shown");
    if (!(error instanceof UnauthorizedError)) throw error;
    const set = given ? [commandFor("token", stackOf)] : [commandFor("clientId", stackOf), commandFor("clientSecret", stackOf)];
    return refusal(error, `make a new one in the product if it has expired, then ${set.join(" and ")}`);
  }
}

const maxGroupNames = 10;

/** @returns the account group that resources without one go to */
function findGroup(groups: AccountGroups | "not shown", { settings, stackOf }: InForce): CheckResult<string | undefined> {
  const { accountGroupId } = settings;
  if (groups === "not shown") {
    const permission = "give the role the permission to view account groups";
    if (accountGroupId === undefined) return warning("the role may not list them: the token's own is taken", permission);
    return warning(`the role may not list them: ${accountGroupId} is taken as it is configured`, permission, accountGroupId);
  }
  const names = groups.map(({ aid, accountGroupName }) => [aid, accountGroupName].filter(Boolean).join(" "));
  const command = commandFor("accountGroupId", stackOf, groups[0]?.aid);
  const all = few(names, maxGroupNames);
  const nameOf = (aid: string): string => names[groups.findIndex((group) => group.aid === aid)] ?? aid;
  if (accountGroupId !== undefined) {
    if (groups.some(({ aid }) => aid === accountGroupId)) return ok(`${nameOf(accountGroupId)}, as configured`, accountGroupId);
    return failed(`${accountGroupId} is configured, and not among those the token may see: ${all}`, command);
  }
  const own = (groups.find((group) => group.isCurrentAccountGroup) ?? groups.find((group) => group.isDefaultAccountGroup))?.aid;
  if (own === undefined) return warning(`none is configured, and which is the token's own is not known: ${all}`, command);
  return ok(`${nameOf(own)}, the token's own; ${groups.length} visible`, own);
}

/** The share of a budget below which a warning is shown. */
const lowBudgetShare = 0.2;

function budgetLeft(limits: Answer["limits"] | undefined): CheckResult {
  const budgets = [
    { name: "organization", limit: limits?.organization },
    { name: "instant tests", limit: limits?.instant },
  ].flatMap(({ name, limit }) => (limit ? [{ name, ...limit }] : []));
  if (budgets.length === 0) return skipped("not checked: the answers do not report it");
  const texts = budgets.map(({ name, limit, remaining, reset }) => {
    const of = limit === undefined ? "" : ` of ${limit}`;
    return `${name} ${remaining}${of} requests left until ${new Date(reset).toISOString().slice(11, 19)} UTC`;
  });
  const message = texts.join("; ");
  const short = budgets.filter(({ limit, remaining }) => remaining < (limit ?? remaining) * lowBudgetShare);
  if (short.length === 0) return ok(message);
  return warning(
    `little is left: ${message}`,
    "wait until then, or find out who else uses it: all of the organization share it",
  );
}
