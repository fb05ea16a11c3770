import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { newPrivateFolder, parseJson, writePrivately } from "../files";
import { closeAtEnd, ioWith } from "../io";
import { writeStack } from "./backend";
import { Encryption } from "./encryption";
import { Project } from "./project";
import { engineError, type EngineRun, jsonOf, type RunOptions, writesStateOnce } from "./run";
import { isState, ProjectStack, shortName } from "./stack";
import { type EngineResource, heldStateIn, type HeldState, replaceDeep, resourcesIn, secretSignature } from "./state";
import { carriedOut, type Carried, carryOut } from "./update";

/** Values and variables that replace those of the stack. */
export interface Instead {
  /** Values that stand for others wherever a setting, a state or the environment has them: addresses and credentials. */
  readonly values: ReadonlyMap<string, string>;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * A copy of a stack in a backend of its own, a private folder of this machine that is deleted with the command: same project, same
 * program, same names. Its secrets are encrypted with a passphrase that is nowhere but in memory, so neither the key of the stack
 * nor its backend is asked again, and neither knows of the copy.
 */
export class TwinStack extends ProjectStack {
  private constructor(
    project: Project,
    name: string,
    private readonly configFile: string,
    /** The state of the stack, secrets opened. */
    readonly held: HeldState,
  ) {
    super(project, name);
  }

  static async of(stack: ProjectStack, { values, environment }: Instead): Promise<TwinStack> {
    const { io, name: projectName, folder: projectFolder } = stack.project;
    const exported = jsonOf("The state cannot be read", await stack.run(["stack", "export", "--show-secrets"]), isState);
    const configuration = await stack.wholeConfiguration();
    const encryption = await Encryption.withNewPassphrase();
    const name = shortName(stack.name);

    const folder = newPrivateFolder();
    const discard = (): void => rmSync(folder, { recursive: true, force: true });
    // However the command ends.
    closeAtEnd(io, () => Promise.resolve(discard()));
    const configFile = join(folder, "Pulumi.yaml");
    const config = Object.entries(configuration).flatMap(([key, { value, secret }]) => {
      if (value === undefined) return [];
      const text = replaced(value, values);
      return [[key, secret === true ? { secure: encryption.encrypt(text) } : text]];
    });
    const { stringify } = require("yaml") as typeof import("yaml");
    writePrivately(configFile, stringify({ encryptionsalt: encryption.salt, config: Object.fromEntries(config) as object }));
    const backend = join(folder, "backend");
    const write = (state: object, fullName: string): void => {
      const { deployment, ...rest } = state as Record<string, unknown>;
      writeStack(backend, fullName, encryption.salt, encrypted(deployment, encryption, values), rest);
    };
    write(exported, `organization/${projectName}/${name}`);
    for (const other of referencesIn(resourcesIn(exported))) {
      const run = await stack.project.run(["stack", "export", "--show-secrets", "--stack", other]);
      // Where it cannot be read, the program cannot either.
      if (run.code === 0) write(jsonOf(`Stack ${other} cannot be read`, run, isState), other);
    }
    const inherited = Object.entries(io.env).map(([variable, value]) => [
      variable,
      value === undefined ? value : replaced(value, values),
    ]);
    const env: NodeJS.ProcessEnv = {
      ...(Object.fromEntries(inherited) as NodeJS.ProcessEnv),
      PULUMI_BACKEND_URL: pathToFileURL(backend).href,
      PULUMI_CONFIG_PASSPHRASE: encryption.passphrase,
      PULUMI_CONFIG_PASSPHRASE_FILE: undefined,
      ...writesStateOnce,
      ...environment,
    };
    const project = Project.open(ioWith(io, { env }), projectFolder);
    return new TwinStack(project, name, configFile, heldStateIn(exported));
  }

  override run(args: readonly string[], options?: RunOptions): Promise<EngineRun> {
    const config = args[0] === "stack" || args[0] === "state" ? [] : ["--config-file", this.configFile];
    return super.run([...args, ...config], options);
  }

  /** Runs `pulumi up`, on to its end whatever fails. @param onStep called after each resource */
  async update(args: readonly string[], onStep: () => void): Promise<Carried> {
    return this.#carryOut(["up", "--skip-preview", ...args], onStep);
  }

  /** Destroys some resources, protected ones too, and what depends on them. */
  async destroy(urns: readonly string[], onStep: () => void): Promise<Carried> {
    const targets = urns.flatMap((urn) => ["--target", urn]);
    const unprotected = await this.run(["state", "unprotect", "--all", "--yes"]);
    if (unprotected.code !== 0) throw engineError("The copy cannot be unprotected", unprotected);
    return this.#carryOut(["destroy", "--skip-preview", "--target-dependents", ...targets], onStep);
  }

  async #carryOut(args: readonly string[], onStep: () => void): Promise<Carried> {
    const done = await carryOut(this, [...args, "--yes", "--continue-on-error"], onStep);
    return { ...done, steps: carriedOut(done.steps) };
  }
}

/** Type of a resource that reads the outputs of another stack. */
export const stackReference = "pulumi:pulumi:StackReference";

/** Other stacks that a stack reads, as far as a folder can stand for their backend. */
function referencesIn(resources: readonly EngineResource[]): string[] {
  const names = resources.flatMap(({ type, inputs }) => (type === stackReference ? (stringOf(inputs?.["name"]) ?? []) : []));
  return names.filter((name) => /^organization\/[^/]+\/[^/]+$/.test(name));
}

/** Encrypts what `pulumi stack export --show-secrets` printed of a deployment, with other values in place of some. */
function encrypted(deployment: unknown, encryption: Encryption, values: Instead["values"]): object {
  if (!isObject(deployment)) throw new UsageError("The state that pulumi exported has no deployment", "work");
  return replaceDeep(deployment, (part) => {
    if (typeof part === "string") return [replaced(part, values)];
    if (!isObject(part) || part[secretSignature.key] !== secretSignature.value) return undefined;
    const open = parseJson(stringOf(part["plaintext"]) ?? "");
    const text = JSON.stringify(
      replaceDeep(open, (inner) => (typeof inner === "string" ? [replaced(inner, values)] : undefined)),
    );
    return [{ [secretSignature.key]: secretSignature.value, ciphertext: encryption.encrypt(text) }];
  }) as object;
}

function replaced(text: string, values: Instead["values"]): string {
  return values.get(text) ?? text;
}
