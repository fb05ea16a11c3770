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

/**
 * Checks the connection to the service, the token and the token's permissions.
 * @returns a session, and the outcomes of the checks that must pass before a preview
 */
export async function checkService(
  checks: Checks,
  settings: Outcome<InForce>,
  out: Output,
  io: Io,
): Promise<{ session: Session; outcomes: Outcome<unknown>[] }> {
  const greeting = await checks.run("base URL", [settings], greet);
  const onAnswer = ({ status }: Answer): void => {
    if (status === 429) out.progress("The rate limit is reached: waiting until it resets");
  };
  const declared = settings.value?.settings ?? readSettings((name) => noService[name], {});
  const session = sessionOf(io, { ...declared, client: { timeout: timeoutSeconds, ...declared.client, onAnswer } });
  const token = await checks.run("token", [settings, greeting], ({ stackOf }) => useToken(session, stackOf));
  const accountGroup = await checks.run("account group", [token, settings], findGroup);
  await checkAccess(checks, session, accountGroup, accountGroup.value ?? declared.accountGroupId);
  return { session, outcomes: [greeting, token, accountGroup] };
}

/** Default request timeout of `check`, in seconds. */
const timeoutSeconds = 10;

/** Placeholder settings for a session that sends no requests. The command uses this session if the real settings are invalid. */
const noService: Partial<Record<SettingName, string>> = { baseUrl: "https://nowhere.invalid", token: "none" };

const phaseTexts: Record<ConnectionPhase, string> = {
  proxy: "the proxy failed",
  dns: "the DNS lookup failed",
  connect: "the connection failed",
  tls: "TLS failed",
  answer: "it accepted the connection, but did not answer",
};

/** Sends a request without a token. Any response proves that the connection works. */
async function greet({ settings: { client }, stackOf }: InForce): Promise<CheckOutcome> {
  const { baseUrl } = client;
  const http = new Http(httpOptions({ timeout: timeoutSeconds, ...client }));
  const { method, path } = operations.accountGroups.list;
  const headers = { accept: "application/json" };
  try {
    const query = new URLSearchParams();
    const answer = await http.send({ method, path, query, headers, body: undefined, repeatable: true, redact: String });
    // For a request without a token, the service returns status 401, and some gateways return status 403.
    const through = http.proxy === undefined ? "" : ` through the proxy ${http.proxy}`;
    if ([200, 401, 403, 429].includes(answer.status)) return ok(`${baseUrl} answers${through}`);
    const problem = `${baseUrl} answers ${answer.status} to ${method} ${path}${through}`;
    if (answer.status >= 500) return failed(problem, "check the status page of the service, and try again later");
    return failed(
      `${problem}, which the ThousandEyes API never does`,
      `${commandFor("baseUrl", stackOf)} (only scheme and host, without a path)`,
    );
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
  if (phase === "dns") return `correct the host: ${mistyped}; or check DNS and VPN on this machine`;
  if (phase === "proxy")
    return "correct the proxy in HTTPS_PROXY or ALL_PROXY, or add the host to NO_PROXY if it needs no proxy";
  const curl = `curl -v ${baseUrl}${operations.accountGroups.list.path}`;
  if (phase === "tls") return `${curl} shows the certificate; add a company's own certificate authority to NODE_EXTRA_CA_CERTS`;
  return `${curl} shows whether a firewall or VPN blocks it; or correct the base URL: ${mistyped}`;
}

async function useToken(session: Session, stackOf: StackOf): Promise<CheckOutcome<ReadableGroups | "not shown">> {
  const hasToken = session.settings.client.token !== undefined;
  const accepted = hasToken ? "the token is accepted" : "the client received a token, which is accepted";
  try {
    return ok(accepted, (await session.client.accountGroups.list()).accountGroups);
  } catch (error) {
    // The service checks the token before it checks the permissions, so a permission error shows that the token is valid.
    if (error instanceof ForbiddenError || (error instanceof NotFoundError && error.fromService))
      return ok(accepted, "not shown");
    if (!(error instanceof UnauthorizedError)) throw error;
    const set = hasToken
      ? [commandFor("token", stackOf)]
      : [commandFor("clientId", stackOf), commandFor("clientSecret", stackOf)];
    return refusal(error, `create a new one in the UI if it has expired, then ${set.join(" and ")}`);
  }
}

const maxGroupNames = 10;

/** @returns the account group for resources that do not declare `accountGroupId` */
function findGroup(groups: ReadableGroups | "not shown", { settings, stackOf }: InForce): CheckOutcome<string | undefined> {
  const { accountGroupId } = settings;
  if (groups === "not shown") {
    const permission = "give the role the permission to view account groups";
    if (accountGroupId === undefined)
      return warning("the role may not list account groups, so the token's default is used", permission);
    return warning(
      `the role may not list account groups, so the configured ${accountGroupId} is used unchecked`,
      permission,
      accountGroupId,
    );
  }
  const names = groups.map(({ aid, accountGroupName }) => [aid, accountGroupName].filter(Boolean).join(" "));
  const command = commandFor("accountGroupId", stackOf, groups[0]?.aid);
  const visible = few(names, maxGroupNames);
  const nameOf = (aid: string): string => names[groups.findIndex((group) => group.aid === aid)] ?? aid;
  if (accountGroupId !== undefined) {
    if (groups.some(({ aid }) => aid === accountGroupId)) return ok(`${nameOf(accountGroupId)}, as configured`, accountGroupId);
    return failed(`${accountGroupId} is configured, but the token can only see ${visible}`, command);
  }
  const tokenDefault = (
    groups.find((group) => group.isCurrentAccountGroup) ?? groups.find((group) => group.isDefaultAccountGroup)
  )?.aid;
  if (tokenDefault === undefined)
    return warning(`no account group is configured, and the token's default is not known. Visible: ${visible}`, command);
  return ok(`${nameOf(tokenDefault)}, the token's default; ${groups.length} visible`, tokenDefault);
}
