import { rmSync } from "node:fs";
import { secretSignature, signatureKey, stringOf } from "../provider/values";
import { closeAtEnd, ioWith } from "./io";
import { PrivateBackend } from "./private-backend";
import { Project } from "./project";
import { engineError, type EngineRun, jsonOf, type RunOptions, targetArguments, writesStateOnce } from "./run";
import { ProjectStack, shortName } from "./stack";
import { isState, type EngineResource, heldStateIn, isSecret, opened, replaceDeep } from "./state";
import { type Carried, carryOut } from "./update";

/** Type of a resource that reads the outputs of another stack. */
export const stackReference = "pulumi:pulumi:StackReference";

/**
 * A temporary copy of a stack for `endpoint-monitoring rehearse`, with the same project, program and names. The copy of the
 * stack has a separate backend and a separate encryption key. At the end of the command, the copy of the stack is deleted.
 */
export class TwinStack extends ProjectStack {
  private constructor(
    project: Project,
    name: string,
    private readonly configFile: string,
    /** Resources in the stack's state, with decrypted secrets. */
    readonly resources: readonly EngineResource[],
  ) {
    super(project, name);
  }

  /**
   * Copies a stack.
   *
   * @param replacements strings to replace in settings, state and environment (such as base URLs), each with its replacement
   */
  static async of(
    stack: ProjectStack,
    replacements: ReadonlyMap<string, string>,
    environment: NodeJS.ProcessEnv,
  ): Promise<TwinStack> {
    const { io, name: projectName, folder: projectFolder } = stack.project;
    const openBackend = async (): Promise<PrivateBackend> => {
      const made = await PrivateBackend.create();
      closeAtEnd(io, async () => rmSync(made.folder, { recursive: true, force: true }));
      return made;
    };
    const [exported, configuration, backend] = await Promise.all([stack.exported(), stack.wholeConfiguration(), openBackend()]);
    const { resources } = heldStateIn(exported);
    const name = shortName(stack.name);
    const replaced = (value: unknown): unknown =>
      replaceDeep(value, (part) => (typeof part === "string" ? [replacements.get(part) ?? part] : undefined));

    const config = Object.entries(configuration).flatMap(([key, { value, secret }]) => {
      if (value === undefined) return [];
      const text = replacements.get(value) ?? value;
      return [[key, secret === true ? { secure: backend.encrypt(text) } : text]];
    });
    backend.writeSettings({ config: Object.fromEntries(config) as object });
    const write = (fullName: string, { deployment, ...members }: { deployment: unknown }): void => {
      const encrypted = replaceDeep(deployment, (part) => {
        if (!isSecret(part)) return typeof part === "string" ? [replacements.get(part) ?? part] : undefined;
        return [{ [signatureKey]: secretSignature, ciphertext: backend.encrypt(JSON.stringify(replaced(opened(part)))) }];
      });
      backend.writeStack(fullName, encrypted as object, members);
    };
    write(`organization/${projectName}/${name}`, exported);
    for (const reference of referencesIn(resources)) {
      const read = await stack.project.run(["stack", "export", "--show-secrets", "--stack", reference]);
      // A stack that this command cannot read is omitted, because the program cannot read it either.
      if (read.code === 0) write(reference, jsonOf(`Stack ${reference} cannot be read`, read, isState));
    }
    const env: NodeJS.ProcessEnv = {
      ...(replaced({ ...io.env }) as NodeJS.ProcessEnv),
      ...backend.env,
      ...writesStateOnce,
      ...environment,
    };
    return new TwinStack(Project.open(ioWith(io, { env }), projectFolder), name, backend.settingsFile, resources);
  }

  override run(args: readonly string[], options?: RunOptions): Promise<EngineRun> {
    const config = args[0] === "stack" || args[0] === "state" ? [] : ["--config-file", this.configFile];
    return super.run([...args, ...config], options);
  }

  /**
   * Runs `pulumi up` with the option `--continue-on-error`.
   *
   * @throws InterruptedError
   */
  update(args: readonly string[], onStep?: () => void): Promise<Carried> {
    return this.#carryOut(["up", ...args], onStep);
  }

  /**
   * Destroys the given resources and all their dependents, including protected resources.
   *
   * @throws InterruptedError
   */
  async destroy(urns: readonly string[]): Promise<Carried> {
    const unprotected = await this.run(["state", "unprotect", "--all", "--yes"]);
    if (unprotected.code !== 0) throw engineError("The copy cannot be unprotected", unprotected);
    return this.#carryOut(["destroy", "--target-dependents", ...targetArguments(urns)]);
  }

  async #carryOut(args: readonly string[], onStep?: () => void): Promise<Carried> {
    const carried = await carryOut(this, [...args, "--skip-preview", "--yes", "--continue-on-error"], onStep);
    if (carried.run.interrupted) throw engineError("The rehearsal", carried.run);
    return carried;
  }
}

/**
 * Returns the names of the stacks that a program reads. The result omits stack names that are invalid for a backend in a
 * folder.
 */
function referencesIn(resources: readonly EngineResource[]): string[] {
  const names = resources.flatMap(({ type, inputs }) => (type === stackReference ? (stringOf(inputs?.["name"]) ?? []) : []));
  return names.filter((name) => /^organization\/[^/]+\/[^/]+$/.test(name));
}
