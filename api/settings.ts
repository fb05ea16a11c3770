import { allowedHostsIn, allowText } from "./allowed-hosts";
import { ConfigurationError } from "./errors";
import { logOptionsOf } from "./log";
import { isLoopback, proxiesOf, proxyOf } from "./proxy";
import { destinationOf, isRehearsal, rehearsalVariable } from "./rehearsal";
import { type ClientSetting, settings, type SettingName } from "./setting-names";
import { type ClientOptions } from "./client-options";

/** The validated settings of a stack. */
export interface Settings {
  client: ClientOptions;
  accountGroupId: string | undefined;
  /** Seconds during which the provider searches for a record after a create request with an unknown outcome. */
  createOutcomeTimeout: number;
  /** Maximum number of seconds after a write request until read requests return the written values. */
  readLag: number;
  adopt: "identical" | undefined;
  /** Former origins of the service. The stack's state may contain records from former origins. */
  movedFrom: readonly string[];
  replaceOrder: "delete-first" | "create-first";
  /** Whether previews show which agents a change affects. */
  previewReach: boolean;
}

/**
 * Reads the settings from the stack configuration and the environment. The stack configuration takes precedence over the
 * environment.
 *
 * @param configured returns a value of the stack configuration by its key, without the prefix `endpoint-monitoring:`
 * @throws ConfigurationError that lists all invalid settings and their allowed values. The error never shows a setting's value
 */
export function readSettings(
  configured: (name: SettingName) => string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Settings {
  const get = (name: SettingName): string | undefined => configured(name) || env[settings[name].env] || undefined;
  const problems: { setting: SettingName; text: string }[] = [];
  const texts: string[] = [];
  const problem = (setting: SettingName, text: string | undefined): void => {
    if (text !== undefined) problems.push({ setting, text });
  };
  const oneOf = <V extends string>(name: SettingName, allowed: readonly V[]): V | undefined => {
    const text = get(name);
    const choice = allowed.find((value) => value === text);
    if (text !== undefined && choice === undefined) problem(name, `${describe(name)} must be ${allowed.join(" or ")}`);
    return choice;
  };

  const baseUrl = get("baseUrl");
  problem("baseUrl", baseUrl === undefined ? `${describe("baseUrl")} is missing` : checkBaseUrl(baseUrl));

  const [token, clientId, clientSecret] = [get("token"), get("clientId"), get("clientSecret")];
  if (token === undefined) {
    if (!clientId && !clientSecret) problem("token", `${describe("token")} is missing, and so are clientId and clientSecret`);
    else if (!clientId) problem("clientId", `${describe("clientId")} is required with clientSecret`);
    else if (!clientSecret) problem("clientSecret", `${describe("clientSecret")} is required with clientId`);
  }
  problem("token", checkToken(token));
  if (baseUrl !== undefined && URL.canParse(baseUrl)) {
    problem("baseUrl", checkHost(baseUrl, env));
    const used = token === undefined ? (["clientSecret", "serviceBearerToken"] as const) : (["token"] as const);
    problem(
      "baseUrl",
      checkOrigin(
        baseUrl,
        used.filter((name) => !configured(name)),
        env,
      ),
    );
  }
  const ofEnvironment = <T>(read: (variables: NodeJS.ProcessEnv) => T): T | undefined => {
    try {
      return read(env);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      texts.push(error.message.replace(/\.$/, ""));
      return undefined;
    }
  };
  const seconds = (name: SettingName, allowsZero = false): number | undefined => {
    const text = get(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    const isValid = Number.isFinite(number) && (allowsZero ? number >= 0 : number > 0);
    if (!isValid) problem(name, `${describe(name)} must be a number of seconds${allowsZero ? ", 0 or more" : " above 0"}`);
    return number;
  };

  const read = {
    timeout: seconds("timeout"),
    deadline: seconds("deadline"),
    proxies: proxiesOf(env),
    log: ofEnvironment(logOptionsOf),
    rehearsal: ofEnvironment(checkRehearsal),
    createOutcomeTimeout: seconds("createOutcomeTimeout") ?? 60,
    readLag: seconds("readLag", true) ?? 120,
    clientAuthentication: oneOf("clientAuthentication", ["form", "basic"]),
    adopt: oneOf("adopt", ["identical"]),
    movedFrom: origins(get("movedFrom"), (text) => problem("movedFrom", text)),
    replaceOrder: oneOf("replaceOrder", ["delete-first", "create-first"]) ?? "delete-first",
    previewReach: oneOf("previewReach", ["on", "off"]) !== "off",
  };
  if (baseUrl !== undefined && URL.canParse(baseUrl)) {
    ofEnvironment(() => proxyOf(new URL(destinationOf(baseUrl, env)), read.proxies, env));
  }
  if (problems.length > 0 || texts.length > 0) {
    const named = problems.map(({ setting }) => setting);
    throw new ConfigurationError(`${[...problems.map(({ text }) => text), ...texts].join("; ")}.`, named);
  }
  return {
    client: {
      baseUrl: baseUrl ?? "",
      token,
      clientId,
      clientSecret,
      clientAuthentication: read.clientAuthentication,
      scope: get("scope"),
      tenantId: get("tenantId"),
      serviceBearerToken: get("serviceBearerToken"),
      timeout: read.timeout,
      deadline: read.deadline,
      proxies: read.proxies,
      log: read.log,
    },
    accountGroupId: get("accountGroupId"),
    createOutcomeTimeout: read.createOutcomeTimeout,
    readLag: read.readLag,
    adopt: read.adopt,
    movedFrom: read.movedFrom,
    replaceOrder: read.replaceOrder,
    previewReach: read.previewReach,
  };
}

/** Returns a setting's name with the command and the environment variable that set it. */
function describe(name: SettingName): string {
  const setting: ClientSetting = settings[name];
  const command = `pulumi config set ${setting.secret ? "--secret " : ""}endpoint-monitoring:${name}`;
  return `${name} (${command}, or ${setting.env})`;
}

/** Returns the problem with a base URL; undefined for a valid URL. */
export function checkBaseUrl(baseUrl: string): string | undefined {
  const name = describe("baseUrl");
  if (!URL.canParse(baseUrl)) return `${name} is not a URL; use a URL such as https://api.thousandeyes.com`;
  const url = new URL(baseUrl);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return `${name} is plain HTTP to a host that is not this machine; use https (plain HTTP is for loopback addresses only)`;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${name} must start with https://`;
  if (url.username || url.password)
    return `${name} must not contain a user or password; use token, or clientId and clientSecret`;
  // A URL that ends with `?` or `#` has an empty `search` and `hash`, so this check examines the URL string.
  if (/[?#]/.test(baseUrl)) return `${name} must not have a query or a fragment, which a request would not send`;
  return undefined;
}

/** Returns the reason why a base URL must not receive requests; undefined if requests are allowed. */
export function checkHost(baseUrl: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const allowed = allowedHostsIn(env);
  const { host } = new URL(baseUrl);
  if (allowed === undefined || allowed.includes(host)) return undefined;
  const hosts = allowed.length === 0 ? "no host is allowed yet" : `requests may go only to ${allowed.join(" and ")}`;
  return `${describe("baseUrl")} leads to ${host}, but ${hosts}. Nothing was sent. ${allowText(host, allowed)}`;
}

/**
 * Returns the reason why a base URL must not receive credentials; undefined if credentials are allowed. Credentials from the
 * environment are valid only for the origin of the base URL in the environment.
 *
 * @param names secret settings that the stack configuration does not contain
 */
function checkOrigin(baseUrl: string, names: readonly SettingName[], env: NodeJS.ProcessEnv): string | undefined {
  const environmentUrl = env[settings.baseUrl.env] ?? "";
  const name = names.find((setting) => env[settings[setting].env]);
  if (name === undefined || !URL.canParse(environmentUrl) || isRehearsal(env)) return undefined;
  const [declared, meant] = [new URL(baseUrl), new URL(environmentUrl)];
  if (declared.origin === meant.origin) return undefined;
  return (
    `${describe("baseUrl")} in the configuration leads to ${declared.host}, but ${settings[name].env} belongs to ${meant.host}, the host ` +
    `of ${settings.baseUrl.env}. Nothing was sent. Correct the wrong setting, or set ${name} for ${declared.host} in the ` +
    `configuration`
  );
}

/**
 * Returns the problem with a token; undefined for a valid token. A token from a file often ends with a line break, which is
 * invalid in a header.
 */
export function checkToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[!-~]+$/.test(token)) return undefined;
  return `${describe("token")} contains a space, a line break or another character that tokens never contain`;
}

/**
 * @throws ConfigurationError if the URL of the service's copy is not a loopback URL, because the `rehearse` command sets only
 * loopback URLs. In a rehearsal, agents measure nothing, so an instant test with `expect` would succeed without measurements
 */
function checkRehearsal(env: NodeJS.ProcessEnv): void {
  const twin = env[rehearsalVariable]?.split(" ")[0] ?? "";
  if (twin === "" || (URL.canParse(twin) && isLoopback(new URL(twin).hostname))) return;
  throw new ConfigurationError(
    `${rehearsalVariable} is set, but not by \`endpoint-monitoring rehearse\`. ` +
      `Unset ${rehearsalVariable}, because this variable disables all measurements.`,
  );
}

/** Returns the origins of the URLs in a comma-separated list. @param problem called with each problem of the list */
function origins(list: string | undefined, problem: (text: string) => void): string[] {
  const entries = (list ?? "").split(",").map((part) => part.trim());
  return entries.filter(Boolean).flatMap((part) => {
    if (URL.canParse(part)) return [new URL(part).origin];
    problem(`${describe("movedFrom")} must be URLs, comma-separated`);
    return [];
  });
}
