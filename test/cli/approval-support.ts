/** A stack without an engine. Computes the engine's output from a state and a program. An emulator is the service. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { check } from "../../provider/check";
import { compare } from "../../provider/compare";
import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import type { RecordKindName } from "../../provider/registry";
import { type Properties, sameValue, secretSignature, signatureKey } from "../../provider/values";
import { secretMask } from "../../common/text";
import { nativeToken, typeToken } from "../../sdk/token";
import { AnsweringEngine, type EngineAnswer, type EngineCall } from "../support/answering-engine";
import { runCommand } from "../support/command";
import { bodyOf, idOf, kindCases } from "../support/kinds";
import { call as callEmulator } from "../support/call";
import { temporary } from "../support/temporary";

/** A resource of a program. Values of `secrets` are secret. */
export interface DeclaredResource {
  kind: RecordKindName;
  args: Properties;
  secrets?: string[];
  /** Names of the labels that a property uses, by property. */
  from?: Record<string, string[]>;
  /** Options of the resource, as the engine writes them. */
  options?: Properties;
}

export const label = (name: string, ...platforms: string[]): DeclaredResource => ({
  kind: "label",
  args: { name, matchType: "or", filters: [{ key: "platform", values: platforms }] },
});
export const toServer = (testName: string, rest: object = {}): DeclaredResource => ({
  kind: "agentToServerTest",
  args: { testName, server: "vpn.example.com", ...rest },
});
export const portal = (password: unknown, rest: object = {}): DeclaredResource => ({
  kind: "httpServerTest",
  args: { testName: "Portal", url: "https://portal.example.com", authType: "basic", username: "probe", password, ...rest },
  secrets: ["password"],
});

/** A resource in the state. */
export interface SceneResource extends DeclaredResource {
  id: string;
}

export interface AppliedRun {
  code: number;
  text: string;
  outcome: string;
  differences: { what: string; urn?: string; text: string }[];
  passed: { rule: string; urn?: string; text: string }[];
}

/** Replaces the engine's encryption with Base64. */
function withConfigFile(file: string, { args, stdin }: EngineCall): EngineAnswer {
  const settings = JSON.parse(readFileSync(file, "utf8")) as { config?: Record<string, { secure: string }> };
  const from = (text: string): string => Buffer.from(text.slice(3), "base64").toString();
  if (args[1] === "set") {
    const secure = `v1:${Buffer.from(stdin).toString("base64")}`;
    settings.config = { ...settings.config, [args[3] ?? ""]: { secure } };
    writeFileSync(file, JSON.stringify(settings));
    return {};
  }
  const all = Object.entries(settings.config ?? {}).map(([key, { secure }]) => [key, { value: from(secure), secret: true }]);
  return { stdout: JSON.stringify(Object.fromEntries(all)) };
}

const sealed = (value: unknown): Properties => ({
  [signatureKey]: secretSignature,
  ciphertext: `v1:${Buffer.from(JSON.stringify(value)).toString("base64")}`,
});
const open = (value: unknown): Properties => ({
  [signatureKey]: secretSignature,
  plaintext: JSON.stringify(value),
});

export class Scene {
  state: Record<string, SceneResource> = {};
  program: Record<string, DeclaredResource> = {};
  /** Settings of the stack by their whole keys. */
  settings: Record<string, string> = {};
  /** Additional steps that the engine previews: of other providers, and of explicit providers. */
  steps: object[] = [];
  /** Resources that an earlier update still has to delete, and its operations without an outcome. */
  remaining: { resources: object[]; operations: object[] } = { resources: [], operations: [] };
  front: "dynamic" | "native" = "dynamic";
  readonly folder = temporary();
  readonly #engine: AnsweringEngine;

  private constructor(
    readonly emulator: Emulator,
    private readonly service: { ahead: number },
  ) {
    writeFileSync(join(this.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    this.#engine = new AnsweringEngine(this.folder, (call) => this.#answer(call));
    this.reset();
  }

  static async start(agents: number): Promise<Scene> {
    const service = { ahead: 0 };
    return new Scene(await start({ rateLimit: "off", agents, now: () => Date.now() + service.ahead }), service);
  }

  /** Advances the service's clock. */
  later(seconds: number): void {
    this.service.ahead += seconds * 1_000;
  }

  /** Restores the state at the start. */
  reset(): void {
    this.emulator.reset();
    this.state = {};
    this.program = {};
    this.steps = [];
    this.remaining = { resources: [], operations: [] };
    this.settings = { "endpoint-monitoring:baseUrl": this.emulator.url, "endpoint-monitoring:token": "emulator-token" };
    rmSync(this.#path("up.txt"), { force: true });
    rmSync(this.#path("applied.json"), { force: true });
  }

  async end(): Promise<void> {
    this.#engine.end();
    await this.emulator.close();
  }

  /** Number of engine calls. */
  get calls(): string[] {
    return this.#engine.calls;
  }

  #answer(call: EngineCall): EngineAnswer {
    const { args } = call;
    const after = (option: string): string | undefined => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
    const [plan, planFile, file] = ["--save-plan", "--plan", "--config-file"].map(after);
    if (plan !== undefined) copyFileSync(this.#path("plan.json"), plan);
    if (planFile !== undefined) copyFileSync(planFile, this.#path("applied.json"));
    if (file !== undefined) return withConfigFile(file, call);
    if (args[0] === "preview") return { stdout: this.#read("preview.json") };
    if (args[0] === "up") {
      const events = existsSync(this.#path("up.txt")) ? this.#read("up.txt") : undefined;
      return { code: events === undefined ? 0 : 255, stdout: `Updating (dev):\n${events ?? ""}` };
    }
    switch (`${args[0]} ${args[1]}`) {
      case "stack ls":
        return { stdout: '[{"name":"dev","current":true}]' };
      case "stack export":
        return { stdout: this.#read("export.json") };
      case "config --json":
        return { stdout: this.#read("config.json") };
      default:
        return { code: 255, stderr: `error: not asked for: ${args.join(" ")}\n` };
    }
  }

  /** Whether an update ran since the last reset, with the plan of the last preview. */
  get applied(): boolean {
    return existsSync(this.#path("applied.json")) && this.#read("applied.json") === this.#read("plan.json");
  }

  get approval(): string {
    return this.#path("approval.json");
  }

  /** Makes the next update fail with these events. */
  failUpdate(events: readonly object[]): void {
    writeFileSync(this.#path("up.txt"), events.map((event) => JSON.stringify(event)).join("\n"));
  }

  /** Creates a record in the service, the state and the program. */
  async hold(name: string, resource: DeclaredResource): Promise<string> {
    const id = await this.make(resource.kind, checked(resource));
    this.state[name] = { ...resource, id };
    this.program[name] ??= resource;
    return id;
  }

  async make(kind: RecordKindName, properties: Properties): Promise<string> {
    return idOf(kind, await this.call("POST", `${kindCases[kind].path}?aid=1001`, bodyOf(kind, properties)));
  }

  call(method: string, path: string, body?: object): Promise<object> {
    return callEmulator(this.emulator.url, method, path, body);
  }

  /** Changes a record in the service only. */
  async edit(name: string, properties: Properties): Promise<void> {
    const { kind, id } = this.inState(name);
    const whole = { ...checked(this.inState(name)), ...properties };
    const isPut = kind === "label" || kind === "endpointAgentTag";
    const path = `${kindCases[kind].path}/${id}?aid=1001`;
    if (!isPut) return void (await this.call("PATCH", path, properties));
    try {
      await this.call("PATCH", path, properties);
    } catch {
      await this.call("PUT", path, bodyOf(kind, whole));
    }
  }

  async drop(name: string): Promise<void> {
    const { kind, id } = this.inState(name);
    await this.call("DELETE", `${kindCases[kind].path}/${id}?aid=1001`);
  }

  inState(name: string): SceneResource {
    const resource = this.state[name];
    if (!resource) throw new Error(`The state has no ${name}`);
    return resource;
  }

  /** Agents of the first account group. */
  async agents(): Promise<{ id: string; platform: string; status: string; name: string }[]> {
    const { agents } = (await this.call("GET", "/v7/endpoint/agents?aid=1001&max=1000")) as never;
    return agents;
  }

  /** Reviews the program and approves it. */
  async approve(...args: string[]): Promise<string> {
    this.#write();
    const run = await runCommand(["review", "--json", "--approval", "approval.json", ...args], this.#given);
    const { data } = JSON.parse(run.stdout) as { data?: { approval?: { digest: string } } };
    if (!data?.approval) throw new Error(`Not approved: ${run.text}`);
    return data.approval.digest;
  }

  async apply(...args: string[]): Promise<AppliedRun> {
    this.#write();
    const allArgs = args.includes("--approved") ? args : ["--approved", "approval.json", ...args];
    const run = await runCommand(["apply", "--json", ...allArgs], this.#given);
    const { data = {} } = (run.stdout === "" ? {} : JSON.parse(run.stdout)) as { data?: object };
    return { outcome: "none", differences: [], passed: [], ...data, code: run.code, text: run.text };
  }

  async run(...args: string[]) {
    this.#write();
    return runCommand(args, this.#given);
  }

  /** Updates the state of these resources from the program. */
  async carryOut(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const declared = this.program[name];
      const inState = this.state[name];
      if (!declared) {
        await this.drop(name);
        delete this.state[name];
      } else if (inState) {
        await this.edit(name, changed(inState, declared));
        this.state[name] = { ...declared, id: inState.id };
      } else {
        this.state[name] = { ...declared, id: await this.make(declared.kind, checked(declared)) };
      }
    }
  }

  get #given() {
    return { cwd: this.folder, env: this.#engine.env() };
  }

  #path(name: string): string {
    return join(this.folder, name);
  }

  #read(name: string): string {
    return readFileSync(this.#path(name), "utf8");
  }

  /** Writes the engine's responses for the current program. */
  #write(): void {
    const steps = [...new Set([...Object.keys(this.state), ...Object.keys(this.program)])].map((name) => this.#step(name));
    const stack = "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev";
    const root = { op: "same", urn: stack, newState: { urn: stack, type: "pulumi:pulumi:Stack" } };
    const write = (name: string, content: unknown): void => writeFileSync(this.#path(name), JSON.stringify(content));
    write("preview.json", {
      config: {},
      steps: [root, ...steps.map(({ step }) => step), ...this.steps],
      diagnostics: [],
      changeSummary: {},
    });
    write("plan.json", { resourcePlans: Object.fromEntries(steps.map(({ step, plan }) => [step.urn, plan])) });
    const { resources, operations } = this.remaining;
    const stateResources = [...steps.flatMap((step) => step.held ?? []), ...resources];
    write("export.json", { deployment: { resources: stateResources, pending_operations: operations } });
    write(
      "config.json",
      Object.fromEntries(Object.entries(this.settings).map(([key, value]) => [key, { value, secret: false }])),
    );
  }

  /** URN of a resource of the program. */
  urn(kind: RecordKindName, name: string): string {
    return `urn:pulumi:dev::test::${this.#token(registry[kind])}::${name}`;
  }

  #token({ name }: Kind): string {
    return this.front === "native" ? nativeToken(name) : typeToken(name);
  }

  #step(name: string) {
    const [inState, declared] = [this.state[name], this.program[name]];
    const resource = declared ?? inState;
    if (!resource) throw new Error(name);
    const kind: Kind = registry[resource.kind];
    const type = this.#token(kind);
    const urn = this.urn(resource.kind, name);
    const base = { urn, type, custom: true };
    const side = (declaration: DeclaredResource, as: (value: unknown) => unknown): Properties => {
      const secrets = new Set(declaration.secrets);
      const all = Object.entries(checked(declaration)).map(([key, value]) => [key, secrets.has(key) ? as(value) : value]);
      return Object.fromEntries(all);
    };
    const mask = (): unknown => secretMask;
    const oldState = inState && {
      ...base,
      ...inState.options,
      id: inState.id,
      inputs: side(inState, mask),
      outputs: { ...side(inState, mask), accountGroupId: "1001" },
    };
    const sources = Object.entries(declared?.from ?? {}).map(([property, names]) => [
      property,
      names.map((source) => this.urn("label", source)),
    ]);
    const propertyDependencies = Object.fromEntries(sources) as Record<string, string[]>;
    const newState = declared && { ...base, ...declared.options, inputs: side(declared, mask), propertyDependencies };
    const exported = inState && {
      ...base,
      ...inState.options,
      id: inState.id,
      inputs: side(inState, open),
      outputs: { ...side(inState, open), accountGroupId: "1001" },
    };
    const changes =
      inState && declared ? compare(kind, { ...checked(inState), accountGroupId: "1001" }, checked(declared)) : [];
    const forcing = changes.filter(({ replaces }) => replaces).map(({ property }) => property);
    const op = !inState
      ? "create"
      : !declared
        ? "delete"
        : forcing.length > 0
          ? "replace"
          : changes.length > 0
            ? "update"
            : "same";
    const now = declared ? side(declared, sealed) : {};
    const [had, has] = [inState ? checked(inState) : {}, declared ? checked(declared) : {}];
    const added = Object.entries(now).filter(([key]) => !sameValue(had[key], has[key]));
    const deletes = Object.keys(had).filter((key) => declared && !(key in has));
    const goal = declared ? { inputDiff: { adds: Object.fromEntries(added), deletes } } : undefined;
    const step = { op, ...base, oldState, newState, ...(forcing.length > 0 && { replaceReasons: forcing }) };
    return { step, plan: { goal, steps: [op] }, held: exported };
  }
}

/** Inputs of a resource with their defaults. */
export function checked({ kind, args }: DeclaredResource): Properties {
  return check(registry[kind], args).inputs;
}

function changed(before: DeclaredResource, declared: DeclaredResource): Properties {
  const [had, has] = [checked(before), checked(declared)];
  return Object.fromEntries(Object.entries(has).filter(([key, value]) => !sameValue(had[key], value)));
}
