/**
 * Calls the Node language host of a locally built engine as the engine does: started in the program's folder with the engine's
 * address, with open input, over gRPC on the port that the host prints.
 */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import * as grpc from "@grpc/grpc-js";
import messages from "@pulumi/pulumi/proto/language_pb";
import { temporary } from "../../support/temporary";

// The generated client has no type declarations.
const { LanguageRuntimeClient } = jest.requireActual<{ LanguageRuntimeClient: grpc.ServiceClientConstructor }>(
  "@pulumi/pulumi/proto/language_grpc_pb",
);

type Options = NonNullable<ReturnType<messages.ProgramInfo["getOptions"]>>;
const { Struct } = createRequire(require.resolve("@pulumi/pulumi"))("google-protobuf/google/protobuf/struct_pb.js") as {
  Struct: { fromJavaScript(value: Record<string, string | boolean>): Options };
};

const { version: sdkVersion } = jest.requireActual<{ version: string }>("@pulumi/pulumi/package.json");

let sandbox: string;
let program: string;
let host: ChildProcess;
let client: grpc.Client;

const write = (file: string, content: unknown): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
};

/** Copies the script outside of any project, as in the cache, and starts it in a folder. */
function startHost(directory: string): { output: () => string; ended: Promise<number | null> } {
  const script = path.join(sandbox, "cache", "pulumi-language-nodejs");
  fs.mkdirSync(path.dirname(script), { recursive: true });
  fs.copyFileSync(path.resolve("tools/engine/pulumi-language-nodejs"), script);
  host = spawn(process.execPath, [script, "127.0.0.1:1"], {
    cwd: directory,
    // Only the test's executables, without the package managers of this machine.
    env: { PATH: path.join(sandbox, "bin") },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let text = "";
  host.stdout?.on("data", (chunk) => (text += String(chunk)));
  host.stderr?.on("data", (chunk) => (text += String(chunk)));
  return { output: () => text, ended: new Promise((resolve) => host.on("close", resolve)) };
}

async function connect(): Promise<{ output: () => string; ended: Promise<number | null> }> {
  const running = startHost(program);
  while (!running.output().includes("\n")) await new Promise((resolve) => setTimeout(resolve, 10));
  client = new LanguageRuntimeClient(`127.0.0.1:${Number.parseInt(running.output(), 10)}`, grpc.credentials.createInsecure());
  return running;
}

function call<Response>(method: string, request: unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    const methods = client as unknown as Record<string, (request: unknown, done: grpc.requestCallback<Response>) => void>;
    methods[method]?.bind(client)(request, (error, response) => (error ? reject(error) : resolve(response as Response)));
  });
}

function info(options: Record<string, string | boolean> = {}): messages.ProgramInfo {
  const result = new messages.ProgramInfo();
  result.setRootDirectory(program);
  result.setProgramDirectory(program);
  result.setEntryPoint("index.js");
  result.setOptions(Struct.fromJavaScript(options));
  return result;
}

/** Installs a stand-in for the SDK's runner, which plays the part of a program. */
function runner(code: string): void {
  const sdk = path.join(program, "node_modules", "@pulumi", "pulumi");
  const real = fs.realpathSync("node_modules/@pulumi/pulumi");
  fs.rmSync(sdk, { recursive: true });
  write(path.join(sdk, "cmd", "run", "index.js"), code);
  fs.copyFileSync(path.join(real, "package.json"), path.join(sdk, "package.json"));
  for (const name of ["proto", "version.js"]) fs.symlinkSync(path.join(real, name), path.join(sdk, name));
  fs.symlinkSync(path.resolve(real, "../.."), path.join(sdk, "node_modules"));
}

async function run(options: Record<string, string | boolean> = {}): Promise<messages.RunResponse.AsObject> {
  const request = new messages.RunRequest();
  request.setInfo(info(options));
  request.setMonitorAddress("127.0.0.1:2");
  request.setProject("project");
  request.setStack("stack");
  request.setOrganization("organization");
  request.setParallel(8);
  request.setDryrun(true);
  request.getConfigMap().set("project:name", "värde");
  request.setConfigsecretkeysList(["project:secret"]);
  request.setArgsList(["--own", "argument"]);
  return (await call<messages.RunResponse>("run", request)).toObject();
}

/** Creates a program with installed packages. */
function prepare(): void {
  sandbox = temporary();
  program = path.join(sandbox, "program");
  write(path.join(program, "package.json"), {
    dependencies: { "@pulumi/pulumi": "*", "@pulumi/cloud": "*", other: "*", missing: "*" },
    devDependencies: { tool: "*" },
  });
  const modules = path.join(program, "node_modules");
  fs.mkdirSync(path.join(modules, "@pulumi"), { recursive: true });
  fs.symlinkSync(path.resolve("node_modules/@pulumi/pulumi"), path.join(modules, "@pulumi", "pulumi"));
  write(path.join(modules, "@pulumi", "cloud", "package.json"), {
    name: "@pulumi/cloud",
    version: "1.2.3",
    pulumi: { resource: true, server: "file:///plugins" },
    dependencies: { nested: "*" },
  });
  write(path.join(modules, "@pulumi", "cloud", "node_modules", "nested", "package.json"), {
    name: "nested",
    version: "0.1.0",
    pulumi: {
      resource: true,
      name: "terraform",
      version: "v9.0.0",
      parameterization: { name: "n", version: "2.0.0", value: "YWJj" },
    },
    // Circular dependencies are common in installed packages.
    dependencies: { "@pulumi/cloud": "*" },
  });
  write(path.join(modules, "other", "package.json"), { name: "other", version: "4.5.6", pulumi: { resource: false } });
  write(path.join(modules, "tool", "package.json"), { name: "tool", version: "7.8.9" });
}

function close(): void {
  client?.close();
  host.kill("SIGKILL");
}

describe("a language host that answers several requests", () => {
  let running: { output: () => string };
  beforeAll(async () => {
    prepare();
    // The host finds the runner when it starts.
    runner("");
    running = await connect();
  });
  afterAll(close);

  test("the language host reports the Node version that runs programs", async () => {
    const request = new messages.AboutRequest();
    request.setInfo(info());
    const response = await call<messages.AboutResponse>("about", request);
    expect([response.getExecutable(), response.getVersion()]).toEqual([process.execPath, process.version]);
  });

  test("the language host finds the plugins of nested packages", async () => {
    const request = new messages.GetRequiredPackagesRequest();
    request.setInfo(info());
    const { packagesList } = (await call<messages.GetRequiredPackagesResponse>("getRequiredPackages", request)).toObject();
    expect(packagesList).toMatchObject([
      { name: "cloud", kind: "resource", version: "v1.2.3", server: "file:///plugins" },
      {
        name: "terraform",
        kind: "resource",
        version: "v9.0.0",
        parameterization: { name: "n", version: "2.0.0", value: "YWJj" },
      },
    ]);
    const older = new messages.GetRequiredPluginsRequest();
    older.setInfo(info());
    const { pluginsList } = (await call<messages.GetRequiredPluginsResponse>("getRequiredPlugins", older)).toObject();
    expect(pluginsList.map(({ name, version }) => `${name} ${version}`)).toEqual(["cloud v1.2.3", "terraform v9.0.0"]);
  });

  test("the language host lists the program's direct dependencies", async () => {
    const request = new messages.GetProgramDependenciesRequest();
    request.setInfo(info());
    const names = async () =>
      (await call<messages.GetProgramDependenciesResponse>("getProgramDependencies", request))
        .getDependenciesList()
        .map((dependency) => `${dependency.getName()} ${dependency.getVersion()}`);
    expect(await names()).toEqual([`@pulumi/pulumi ${sdkVersion}`, "@pulumi/cloud 1.2.3", "other 4.5.6", "tool 7.8.9"]);
    request.setTransitivedependencies(true);
    expect(await names()).toEqual(expect.arrayContaining(["nested 0.1.0", "other 4.5.6"]));
  });

  describe("run of a program by the language host", () => {
    test("the language host passes arguments and configuration to the program", async () => {
      runner(`console.log(JSON.stringify({
        argv: process.argv.slice(2).join(" "), execArgv: process.execArgv, cwd: process.cwd(),
        env: ["CONFIG", "CONFIG_SECRET_KEYS", "NODEJS_TYPESCRIPT", "NODEJS_TSCONFIG_PATH"].map((key) => process.env["PULUMI_" + key]),
      }));`);

      expect(await run({ nodeargs: `--title='a "b' --stack-trace-limit="5" --no-\\warnings`, tsconfig: "ts.json" })).toEqual({
        error: "",
        bail: false,
      });
      expect(JSON.parse(String(running.output().trim().split("\n").at(-1)))).toEqual({
        argv:
          "--monitor 127.0.0.1:2 --engine 127.0.0.1:1 --organization organization --project project --stack stack " +
          `--pwd ${program} --root-directory ${program} --parallel 8 --dry-run index.js --own argument`,
        execArgv: ['--title=a "b', "--stack-trace-limit=5", "--no-warnings"],
        cwd: program,
        env: ['{"project:name":"värde"}', '["project:secret"]', "true", "ts.json"],
      });
    });

    test.each([
      ["process.exitCode = 0", {}, { error: "", bail: false }],
      ["process.exitCode = 32", {}, { error: "", bail: true }],
      ["process.exitCode = 3", {}, { error: "Program exited with non-zero exit code: 3", bail: false }],
      [
        "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)",
        {},
        { error: "Program was ended by SIGKILL", bail: false },
      ],
      ["process.exitCode = process.env.PULUMI_NODEJS_TYPESCRIPT ? 1 : 0", { typescript: false }, { error: "", bail: false }],
    ])("the language host reports how a program ends: %s", async (code, options, response) => {
      runner(code);
      expect(await run(options)).toEqual(response);
    });
  });

  describe("installation of dependencies by the language host", () => {
    test.each([
      ["prints the output of the package manager", "pnpm", 0, ""],
      ["fails if the package manager fails", "pnpm", 4, "pnpm install failed with exit code 4"],
      ["fails if the package manager does not exist", "other", 0, "pnpm could not be started"],
    ])("%s", async (_, name, exitCode, failure) => {
      write(path.join(program, "pnpm-lock.yaml"), "");
      fs.rmSync(path.join(sandbox, "bin"), { recursive: true, force: true });
      const manager = path.join(sandbox, "bin", name);
      write(manager, `#!${process.execPath}\nconsole.log(process.argv[2], process.cwd()); process.exitCode = ${exitCode};`);
      fs.chmodSync(manager, 0o755);
      const request = new messages.InstallDependenciesRequest();
      request.setInfo(info());
      let printed = "";
      const problem = await new Promise<string>((resolve) => {
        const methods = client as unknown as {
          installDependencies(request: unknown): grpc.ClientReadableStream<messages.InstallDependenciesResponse>;
        };
        const stream = methods.installDependencies(request);
        stream.on("data", (response: messages.InstallDependenciesResponse) => {
          printed += Buffer.from(response.getStdout_asU8()).toString();
        });
        stream.on("error", () => {});
        stream.on("status", ({ code, details }: grpc.StatusObject) => resolve(code === grpc.status.OK ? "" : details));
      });
      expect(problem).toMatch(failure === "" ? /^$/ : failure);
      expect(printed).toBe(name === "pnpm" ? `install ${program}\n` : "");
    });
  });

  describe("generation of a program by the language host", () => {
    const request = new messages.GenerateProgramRequest();
    request.setLoaderTarget("127.0.0.1:1");
    request.getSourceMap().set("anonymous.pp", 'resource office "endpoint-monitoring:index:Label" {}');

    /** Installs a stand-in for the generator next to the host. */
    function withGenerator(body: string): void {
      const file = path.join(sandbox, "cache", "pulumi-nodejs-generator");
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, `#!${process.execPath}\n${body}`, { mode: 0o755 });
    }

    test("the language host names the missing generator", async () => {
      await expect(call("generateProgram", request)).rejects.toMatchObject({
        code: grpc.status.UNIMPLEMENTED,
        details: expect.stringContaining("pulumi-nodejs-generator"),
      });
    });

    test("the language host returns the generator's response", async () => {
      const answer = new messages.GenerateProgramResponse();
      answer.getSourceMap().set("index.ts", new TextEncoder().encode("export {};\n"));
      const bytes = Buffer.from(answer.serializeBinary()).toString("base64");
      withGenerator(
        `require("fs").writeFileSync("${sandbox}/asked", require("fs").readFileSync(0)); process.stdout.write(Buffer.from("${bytes}", "base64"));`,
      );
      const got = await call<messages.GenerateProgramResponse>("generateProgram", request);
      expect(Buffer.from(got.getSourceMap().get("index.ts") as Uint8Array).toString()).toBe("export {};\n");
      const asked = messages.GenerateProgramRequest.deserializeBinary(fs.readFileSync(path.join(sandbox, "asked")));
      expect(asked.toObject()).toEqual(request.toObject());
    });

    test("the language host fails with the generator's message", async () => {
      withGenerator('console.error("there is no such type"); process.exit(1);');
      await expect(call("generateProgram", request)).rejects.toMatchObject({ details: "there is no such type" });
    });
  });

  test("the language host returns UNIMPLEMENTED for unsupported methods", async () => {
    for (const method of ["generatePackage", "generateProject"]) {
      const request = new messages[method === "generatePackage" ? "GeneratePackageRequest" : "GenerateProjectRequest"]();
      await expect(call(method, request)).rejects.toMatchObject({ code: grpc.status.UNIMPLEMENTED });
    }
  });
});

describe("a language host that ends", () => {
  beforeEach(prepare);
  afterEach(close);

  test.each([
    ["the engine ended", () => host.stdin?.end()],
    ["it receives SIGTERM", () => host.kill("SIGTERM")],
  ])("the language host stops the program if %s", async (_, end) => {
    const beat = path.join(sandbox, "beat");
    runner(`setInterval(() => require("node:fs").appendFileSync(${JSON.stringify(beat)}, "."), 10);`);
    const { ended } = await connect();
    const response = run().catch(() => "the host is gone");
    const beats = () => fs.statSync(beat, { throwIfNoEntry: false })?.size ?? 0;
    while (beats() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    end();
    expect(await ended).toBe(0);
    expect(await response).toBe("the host is gone");
    const last = beats();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(beats()).toBeLessThanOrEqual(last + 1);
  });

  test("the language host recommends npm install if the SDK is missing", async () => {
    const empty = path.join(sandbox, "empty");
    fs.mkdirSync(empty);
    const { output, ended } = startHost(empty);
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `The Pulumi SDK (@pulumi/pulumi) is not installed for the program in ${empty}. Run \`npm install\` in the program's folder.\n`,
    );
  });
});
