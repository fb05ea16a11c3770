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
} from "../../../api";
import { Http } from "../../../api/http";
import { httpOptions } from "../../../api/client-options";
import type { Session } from "../../../provider/session";
import { sessionOf } from "../../../engine/stack";
import type { Io } from "../../../engine/io";
import type { Output } from "../../report/output";
import { few } from "../../../common/text";
import { checkAccess } from "./access";
import { type Checks, failed, type CheckOutcome, ok, type Outcome, refusal, warning } from "./checks";
import { commandFor, type InForce, type StackOf } from "./settings";

type ReadableGroups = Awaited<ReturnType<Session["client"]["accountGroups"]["list"]>>["accountGroups"];

/** Checks the service, from the way to it to what this caller may do there. @returns the checks that a preview builds on */
export async function checkService(
  checks: Checks,
  settings: Outcome<InForce>,
  timeout: number,
  out: Output,
  io: Io,
): Promise<{ session: Session; outcomes: Outcome<unknown>[] }> {
  const greeting = await checks.run("base URL", [settings], (inForce) => greet(inForce, timeout));
  const onAnswer = ({ status }: Answer): void => {
    if (status === 429) out.progress("The request budget is used up: waiting until there is a new one");
  };
  const declared = settings.value?.settings ?? readSettings((name) => noService[name], {});
  const session = sessionOf(io, { ...declared, client: { ...declared.client, timeout, onAnswer } });
  const token = await checks.run("token", [settings, greeting], ({ stackOf }) => useToken(session, stackOf));
  const accountGroup = await checks.run("account group", [token, settings], findGroup);
  await checkAccess(checks, session, accountGroup, accountGroup.value ?? declared.accountGroupId);
  return { session, outcomes: [greeting, token, accountGroup] };
}

/** Settings of a session that sends nothing, as those in force are not in order. */
const noService: Partial<Record<SettingName, string>> = { baseUrl: "https://nowhere.invalid", token: "none" };

const phaseTexts: Record<ConnectionPhase, string> = {
  proxy: "its proxy is in the way",
  dns: "looking up its host failed",
  connect: "connecting failed",
  tls: "TLS failed",
  answer: "it was connected to, and did not answer",
};

/** Sends one request without a token. Any answer shows that the service can be reached. */
async function greet({ settings: { client }, stackOf }: InForce, timeout: number): Promise<CheckOutcome> {
  const { baseUrl } = client;
  const http = new Http(httpOptions({ ...client, timeout }));
  const { method, path } = operations.accountGroups.list;
  const headers = { accept: "application/json" };
  try {
    const query = new URLSearchParams();
    const answer = await http.send({ method, path, query, headers, body: undefined, repeatable: true, redact: String });
    // Without a token the service refuses; some gateways answer 403.
    const through = http.proxy === undefined ? "" : ` through the proxy ${http.proxy}`;
    if ([200, 401, 403, 429].includes(answer.status)) return ok(`${baseUrl} answers${through}`);
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

async function useToken(session: Session, stackOf: StackOf): Promise<CheckOutcome<ReadableGroups | "not shown">> {
  const hasToken = session.settings.client.token !== undefined;
  const accepted = hasToken ? "the token is accepted" : "a token was issued to the client, and is accepted";
  try {
    return ok(accepted, (await session.client.accountGroups.list()).accountGroups);
  } catch (error) {
    // A role may lack the permission to see account groups. The token was accepted before that was decided.
    if (error instanceof ForbiddenError || (error instanceof NotFoundError && error.fromService))
      return ok(accepted, "not shown");
    if (!(error instanceof UnauthorizedError)) throw error;
    const set = hasToken
      ? [commandFor("token", stackOf)]
      : [commandFor("clientId", stackOf), commandFor("clientSecret", stackOf)];
    return refusal(error, `make a new one in the product if it has expired, then ${set.join(" and ")}`);
  }
}

const maxGroupNames = 10;

/** @returns the account group that resources without one go to */
function findGroup(groups: ReadableGroups | "not shown", { settings, stackOf }: InForce): CheckOutcome<string | undefined> {
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
