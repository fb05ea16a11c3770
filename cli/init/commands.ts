import { settings, type SettingName } from "../../api";
import type { PackageManager } from "./package-manager";
import type { Plan } from "./plan";
import { firstStack } from "./templates";

/** Where the emulator of a project keeps its records. */
const dataFile = "emulator.db";

/** The commands that follow, in their order. `pulumi config set` without a value asks for it. */
export function commandsFor(
  { hasStack, settings: values }: Plan,
  files: readonly { readonly path: string; readonly outcome: string }[],
  manager: PackageManager,
): string[] {
  const stackFile = files.find(({ path }) => path === `Pulumi.${firstStack}.yaml`);
  const isNewStack = stackFile === undefined ? !hasStack : stackFile.outcome === "created";
  const isConfigured = stackFile?.outcome === "created";
  return [
    manager.install,
    ...(isNewStack ? [`pulumi stack init ${firstStack}`] : []),
    ...(isConfigured ? [] : configuration(values, stackFile === undefined ? "" : ` --stack ${firstStack}`)),
    `${manager.run} endpoint-monitoring validate`,
    `pulumi preview${isNewStack || stackFile === undefined ? "" : ` --stack ${firstStack}`}`,
  ];
}

/** The command that starts the emulator of a project. */
export function emulatorCommand({ settings: { baseUrl = "" } }: Plan, manager: PackageManager): string {
  return `${manager.run} endpoint-monitoring emulator --port ${new URL(baseUrl).port} --data ${dataFile}`;
}

function configuration(values: Readonly<Record<string, string>>, stack: string): string[] {
  const command = (name: SettingName, value: string | undefined): string => {
    const secret = "secret" in settings[name] ? " --secret" : "";
    return `pulumi config set${stack}${secret} endpoint-monitoring:${name}${value === undefined ? "" : ` ${value}`}`;
  };
  return [command("baseUrl", values["baseUrl"]), command("token", values["token"])];
}
