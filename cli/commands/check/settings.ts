import { ConfigurationError, readSettings, settings, type SettingName, type Settings } from "../../../api";
import type { ProjectStack } from "../../../engine/stack";
import type { Io } from "../../../engine/io";
import { type Checks, failed, type CheckOutcome, ok, type Outcome } from "./checks";

export interface InForce {
  settings: Settings;
  stackOf: StackOf;
}

/** Returns the stack that needs a configuration value for a setting, or undefined if an environment variable provides the setting. */
export type StackOf = (name: SettingName) => string | undefined;

export function checkSettings(checks: Checks, stack: Outcome<ProjectStack>, { env }: Io): Promise<Outcome<InForce>> {
  const { value: project } = stack;
  if (project) {
    const fix = `make sure that pulumi config --show-secrets --stack ${project.name} works; if the stack has a passphrase, export PULUMI_CONFIG_PASSPHRASE`;
    const start = `the configuration of stack ${project.name} cannot be read: `;
    const ofStack = async () => read(await project.configured(), env, project.name);
    // If the configuration cannot be read, Pulumi's message contains the reason, usually a missing passphrase.
    return checks.run("settings", [], ofStack, fix, start);
  }
  const environment = read(() => undefined, env);
  // Settings that are missing in the environment may be in the stack configuration.
  const needs: Outcome<unknown>[] = environment.level === "error" ? [stack] : [];
  return checks.run("settings", needs, () => environment);
}

function read(configured: (name: SettingName) => string | undefined, env: Io["env"], stack?: string): CheckOutcome<InForce> {
  // In a project, a missing setting belongs in the stack configuration.
  const stackOf: StackOf = (name) => (configured(name) || !env[settings[name].env] ? stack : undefined);
  try {
    const declared = readSettings(configured, env);
    const from = (name: SettingName): string => (configured(name) ? `stack ${stack}` : "the environment");
    const credentials = declared.client.token === undefined ? "clientId" : "token";
    const parts = [
      `baseUrl ${declared.client.baseUrl} from ${from("baseUrl")}`,
      `${credentials === "token" ? "token" : "client id and secret"} from ${from(credentials)}`,
    ];
    return ok(parts.join(", "), { settings: declared, stackOf });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const commands = error.settings.map((name) => commandFor(name, stackOf));
    // The fix already contains the `pulumi config` commands, so the message omits them.
    return failed(error.message.replace(/ \(pulumi config set [^)]*\)/g, "").replace(/\.$/, ""), commands.join("; "));
  }
}

/** Returns the command that changes a setting. For a secret, the command contains no value, so that Pulumi prompts for the value. */
export function commandFor(name: SettingName, stackOf: StackOf, value = "..."): string {
  const { env, ...rest } = settings[name];
  const stack = stackOf(name);
  if (stack === undefined) return `export ${env}=${value}`;
  return "secret" in rest
    ? `pulumi config set --stack ${stack} --secret endpoint-monitoring:${name}`
    : `pulumi config set --stack ${stack} endpoint-monitoring:${name} ${value}`;
}
