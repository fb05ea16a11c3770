import { ConfigurationError, readSettings, settings, type SettingName, type Settings } from "../../api";
import { UsageError } from "../command";
import type { ProjectStack } from "../engine/stack";
import type { Io } from "../io";
import { type Checks, failed, type CheckResult, ok } from "./checks";

/** The settings in force, and the stack whose configuration each comes from: nothing of those of the environment. */
export interface InForce {
  settings: Settings;
  stackOf: StackOf;
}

/** Name of the stack whose configuration a setting stands in, or is to stand in; nothing where that is the environment. */
export type StackOf = (name: SettingName) => string | undefined;

export function checkSettings(checks: Checks, stack: ProjectStack | undefined, { env }: Io): Promise<InForce | undefined> {
  if (stack) return checks.run("settings", [], () => ofStack(stack, env));
  const environment = read(() => undefined, env);
  // The configuration of a stack may have what the environment lacks.
  return checks.run("settings", environment.status === "failed" ? ["stack"] : [], () => environment);
}

async function ofStack(stack: ProjectStack, env: Io["env"]): Promise<CheckResult<InForce>> {
  try {
    return read(await stack.configured(), env, stack.name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // Pulumi gives the reason itself; mostly it is the passphrase.
    const fix = `pulumi config --show-secrets --stack ${stack.name} must work; for a passphrase, export PULUMI_CONFIG_PASSPHRASE`;
    return failed(`the configuration of stack ${stack.name} cannot be read: ${error.message}`, fix);
  }
}

function read(configured: (name: SettingName) => string | undefined, env: Io["env"], stack?: string): CheckResult<InForce> {
  // A setting that is nowhere belongs into the configuration of the stack, if there is one.
  const stackOf: StackOf = (name) => (configured(name) || !env[settings[name].env] ? stack : undefined);
  try {
    const found = readSettings(configured, env);
    const from = (name: SettingName): string => (configured(name) ? `stack ${stack}` : "the environment");
    const credentials = found.client.token === undefined ? "clientId" : "token";
    const parts = [
      `baseUrl ${found.client.baseUrl} from ${from("baseUrl")}`,
      `${credentials === "token" ? "token" : "client id and secret"} from ${from(credentials)}`,
    ];
    return ok(parts.join(", "), { settings: found, stackOf });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const commands = error.settings.map((name) => commandFor(name, stackOf));
    // The commands of the message are those of a project, and stand beside it here.
    return failed(error.message.replace(/ \(pulumi config set [^)]*\)/g, "").replace(/\.$/, ""), commands.join("; "));
  }
}

/** The command that sets a setting. The value of a secret is not part of it: Pulumi asks for that. */
export function commandFor(name: SettingName, stackOf: StackOf, value = "..."): string {
  const { env, ...rest } = settings[name];
  const stack = stackOf(name);
  if (stack === undefined) return `export ${env}=${value}`;
  return "secret" in rest
    ? `pulumi config set --stack ${stack} --secret endpoint-monitoring:${name}`
    : `pulumi config set --stack ${stack} endpoint-monitoring:${name} ${value}`;
}
