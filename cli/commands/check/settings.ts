import { ConfigurationError, readSettings, settings, type SettingName, type Settings } from "../../../api";
import type { ProjectStack } from "../../../engine/stack";
import type { Io } from "../../../engine/io";
import { type Checks, failed, type CheckOutcome, ok, type Outcome, withAdvice } from "./checks";

/** The settings in force, and where each is set. */
export interface InForce {
  settings: Settings;
  stackOf: StackOf;
}

/** Returns the name of the stack whose configuration has a setting, or should have it; nothing for a setting of the environment. */
export type StackOf = (name: SettingName) => string | undefined;

export function checkSettings(checks: Checks, stack: Outcome<ProjectStack>, { env }: Io): Promise<Outcome<InForce>> {
  const { value: project } = stack;
  if (project) {
    const advice = `pulumi config --show-secrets --stack ${project.name} must work; for a passphrase, export PULUMI_CONFIG_PASSPHRASE`;
    const closed = `the configuration of stack ${project.name} cannot be read: `;
    const ofStack = async () => read(await project.configured(), env, project.name);
    // Pulumi gives the reason itself; mostly it is the passphrase.
    return checks.run("settings", [], () => withAdvice(ofStack, advice, closed));
  }
  const environment = read(() => undefined, env);
  // The configuration of a stack may have what the environment lacks.
  const needs: Outcome<unknown>[] = environment.level === "error" ? [stack] : [];
  return checks.run("settings", needs, () => environment);
}

function read(configured: (name: SettingName) => string | undefined, env: Io["env"], stack?: string): CheckOutcome<InForce> {
  // A setting that is missing belongs into the configuration of the stack, if there is one.
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
    // The message names the commands of a project. Here they are the fix.
    return failed(error.message.replace(/ \(pulumi config set [^)]*\)/g, "").replace(/\.$/, ""), commands.join("; "));
  }
}

/** Returns the command that sets a setting, without the value of a secret, for which Pulumi asks. */
export function commandFor(name: SettingName, stackOf: StackOf, value = "..."): string {
  const { env, ...rest } = settings[name];
  const stack = stackOf(name);
  if (stack === undefined) return `export ${env}=${value}`;
  return "secret" in rest
    ? `pulumi config set --stack ${stack} --secret endpoint-monitoring:${name}`
    : `pulumi config set --stack ${stack} endpoint-monitoring:${name} ${value}`;
}
