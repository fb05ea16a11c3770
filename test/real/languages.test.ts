/**
 * Tests other languages. In the long form, the test generates and compiles their SDKs with generators that Go compiles for
 * minutes, and runs examples/yaml and examples/python on the engine. If a machine lacks a tool, the test's name says so, and
 * the test checks the message for users. invariants/plugin-trace replays the hosts' requests.
 */
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { registry } from "../../provider/registry";
import { installLimitMs, pythonWith } from "../emulator/clients/python";
import { isLong } from "../support/amount";
import { kindCases } from "../support/kinds";
import { plainEnv, repository, type Run, runNode, startProcess } from "../support/process";
import { asked, type Call, callsInLog, recorded, traceEmulator, type Trace } from "../support/protocol-trace";
import { Stack } from "./support/stack";
import { temporary } from "../support/temporary";

const classes = Object.values(registry).map(({ name }) => name);

const isOnPath = (command: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((directory) => existsSync(join(directory, command)));
const hasHost = (language: string): boolean => isOnPath(`pulumi-language-${language}`);

const folder = temporary();

/** Runs a command that must succeed. */
async function must(
  command: string,
  args: string[],
  settings: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { code, text } = await startProcess(command, args, { ...settings, bound: 900_000 }).ended;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${text}`);
  return text;
}

/** Generates the SDK of a language. */
const generate = (language: string): Promise<Run> =>
  runNode(["tools/docs/sdks.mjs", "--out", folder, language], { cwd: repository, bound: 400_000 });

it("pulumi schema check accepts the provider's schema", async () => {
  expect(await must("pulumi", ["schema", "check", join(repository, "plugin/schema.json")])).toBe("");
});

/** By language: the marker of a class in its SDK, and the files that make it a package. */
const sdks = [
  ["python", (name: string) => [`class ${name}(pulumi.CustomResource):`], ["pyproject.toml"]],
  ["go", (name: string) => [`type ${name} struct {`, `func New${name}(`], ["go.mod"]],
  ["dotnet", (name: string) => [`public partial class ${name} : global::Pulumi.CustomResource`], ["logo.png"]],
  ["java", (name: string) => [`public class ${name} extends com.pulumi.resources.CustomResource`], []],
] as const;

describe.each(sdks)("the SDK for %s", (language, marks, files) => {
  // The engine's Go module also contains the generators of these two.
  const isGenerated = ["python", "go"].includes(language) || hasHost(language);

  if (!isGenerated)
    it(`the generator reports that pulumi-language-${language} is not on PATH`, async () => {
      const { code, stderr } = await generate(language);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `${language}: not generated. pulumi-language-${language} is not on PATH: install the Pulumi CLI`,
      );
    });
  else if (isLong)
    it("the generated SDK has each class in the registry of resource types", async () => {
      const { code, stderr } = await generate(language);
      expect({ code, failed: stderr.includes("not generated") }).toEqual({ code: 0, failed: false });
      const sdk = join(folder, language);
      const sources = readdirSync(sdk, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const text = sources.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
      expect(classes.flatMap(marks).filter((mark) => !text.includes(mark))).toEqual([]);
      expect(files.filter((name) => !existsSync(join(sdk, name)))).toEqual([]);
      // An example in TypeScript does not fit this language.
      expect(text.match(/.*(?:```typescript|\{\{%).*/g)).toBeNull();
    });
});

/** Returns the program of the registry's page in a language. */
const overviewIn = (language: string): string =>
  new RegExp(`\\n\`\`\`${language}\\n([^]+?)\\n\`\`\`\\n`).exec(
    readFileSync(join(repository, "docs/_index.md"), "utf8"),
  )?.[1] ?? "";

it("the generator rejects an unknown language and lists the supported languages", async () => {
  const { code, stderr } = await generate("cobol");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "Unknown language cobol. Expected: python, go, dotnet, java.\n",
  });
});

const installed = (): ReturnType<typeof pythonWith> => pythonWith(join(__dirname, "support/python-requirements.txt"));

/** Returns the environment of Python programs with the SDK, installed as users do: it requests its own version. */
async function pythonEnv(): Promise<NodeJS.ProcessEnv> {
  const { command, env } = installed();
  const target = join(folder, "installed");
  if (!existsSync(target)) {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"];
    await must(command, [...pip, "--target", target, join(folder, "python")]);
  }
  return { PYTHONPATH: [target, env["PYTHONPATH"]].join(delimiter), PYTHONDONTWRITEBYTECODE: "1" };
}

/** The dependencies of the Java SDK, for Maven. */
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.pulumi</groupId><artifactId>pulumi</artifactId><version>1.16.0</version></dependency>
    <dependency><groupId>com.google.code.findbugs</groupId><artifactId>jsr305</artifactId><version>3.0.2</version></dependency>
  </dependencies>
</project>
`;

if (isLong) {
  describe("the compiled SDK", () => {
    it(
      "Python programs see the types of the SDK",
      async () => {
        const env = plainEnv(await pythonEnv());
        const { command } = installed();
        const names = await must(command, ["-c", "import pulumi_endpoint_monitoring as m; print(*dir(m))"], { env });
        expect(names.split(" ")).toEqual(expect.arrayContaining([...classes, "get_label_output", "Provider"]));
        const cache = join(folder, "mypy");
        const overview = join(folder, "overview.py");
        writeFileSync(overview, overviewIn("python"));
        for (const program of [join(repository, "examples/python/__main__.py"), overview]) {
          const text = await must(command, ["-m", "mypy", "--strict", "--cache-dir", cache, program], { env, cwd: folder });
          expect(text).toContain("no issues found");
        }
      },
      installLimitMs,
    );

    // Only the official CLI contains its generator.
    if (hasHost("java"))
      it("the Java SDK and the example program on the registry page compile", async () => {
        const build = join(folder, "java-build");
        mkdirSync(build);
        writeFileSync(join(build, "pom.xml"), pom);
        await must("mvn", ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars"], { cwd: build });
        const sources = globSync("**/*.java", { cwd: join(folder, "java") }).map((file) => join(folder, "java", file));
        expect(sources.length).toBeGreaterThan(classes.length);
        const overview = join(build, "App.java");
        writeFileSync(overview, overviewIn("java"));
        sources.push(overview);
        writeFileSync(join(build, "sources"), sources.join("\n"));
        await must("javac", ["-d", "out", "-cp", join("jars", "*"), "@sources"], { cwd: build });
      }, 900_000);

    it("the Go SDK and the example program of the registry page pass go vet", async () => {
      if (!isOnPath("go")) throw new Error("This test needs Go, which is not on PATH.");
      const sdk = join(folder, "go");
      // The same flags as the engine, so that its packages are not compiled again.
      const env = plainEnv({ CGO_ENABLED: "0", GOWORK: "off" });
      copyFileSync(join(repository, "tools/engine/go.sum"), join(sdk, "go.sum"));
      mkdirSync(join(sdk, "overview"));
      writeFileSync(join(sdk, "overview/main.go"), overviewIn("go"));
      const text = await must("go", ["vet", "-mod=mod", "./..."], { cwd: sdk, env });
      expect(text).not.toContain("vet:");
    }, 900_000);
  });

  describe.each(["yaml", "python"] as const)("the program in %s on the engine", (language) => {
    if (!hasHost(language))
      it(`the engine reports that pulumi-language-${language} is missing`, async () => {
        const stack = await Stack.start({}, language);
        try {
          const { code, text } = await stack.run("preview");
          expect(code).not.toBe(0);
          expect(text).toContain(`pulumi-language-${language}`);
        } finally {
          await stack.end();
        }
      });
    else
      it("the plugin receives the same requests as in the recording", async () => {
        const operations = await lifeOf(language);
        expect(asked(operations)).toEqual(asked(recorded(language, "")));
      });
  });
}

/** Creates, changes, refreshes and destroys an example's resources. @returns the engine's calls to the plugin */
async function lifeOf(language: Exclude<Trace, "life">): Promise<Call[][]> {
  const stack = await Stack.start(traceEmulator, language);
  try {
    if (language === "python") Object.assign(stack.environment, await pythonEnv());
    await stack.secret("probePassword", "first-passw0rd");
    const log = join(stack.folder, "grpc.json");
    Object.assign(stack.environment, { PULUMI_DEBUG_GRPC: log, ENDPOINT_MONITORING_PREVIEW_REACH: "off" });
    const args = ["--yes", "--skip-preview", "--parallel", "1"];
    await stack.must("up", ...args);
    const { stdout } = await stack.must("stack", "output", "--json");
    const portal = stack.state()["portal"];
    expect(JSON.parse(stdout)).toEqual({ label: "Office", portalTestId: portal?.id });
    // Secrets are encrypted.
    expect(JSON.stringify(portal)).not.toContain("first-passw0rd");
    expect(await stack.stored("labels", stack.state()["office"]?.id ?? "")).toMatchObject({ color: "#2266cc" });
    expect(await stack.preview()).toEqual([]);
    const program = join(stack.folder, language === "yaml" ? "Pulumi.yaml" : "__main__.py");
    writeFileSync(program, readFileSync(program, "utf8").replaceAll("Meetings", "Calls"));
    expect(await stack.preview()).toMatchObject([{ op: "update", name: "meetings" }]);
    await stack.must("up", ...args);
    await stack.must("refresh", ...args);
    expect(await stack.preview()).toEqual([]);
    await stack.must("destroy", ...args);
    for (const { collection } of Object.values(kindCases)) expect(await stack.ids(collection)).toEqual([]);
    return callsInLog(language, readFileSync(log, "utf8"), stack.emulator.url);
  } finally {
    await stack.end();
  }
}
