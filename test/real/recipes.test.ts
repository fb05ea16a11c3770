/** Runs the recipes in docs/recipes.md. package/release tests the languages on the page. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isLong } from "../support/amount";
import { plainEnv, repository, runProcess } from "../support/process";
import { Stack } from "./support/stack";
import { temporary } from "../support/temporary";

const recipes = readFileSync(join(repository, "docs/recipes.md"), "utf8");

/** Returns the code under a heading. */
function codeOf(heading: string): string {
  const [, code] = new RegExp(`## [^\\n]*${heading}\\n[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``).exec(recipes) ?? [];
  if (code === undefined) throw new Error(`docs/recipes.md has no recipe "${heading}" with code.`);
  return code;
}

let stack: Stack;
beforeEach(async () => {
  stack = await Stack.start({}, "typescript");
  stack.take("native");
});
afterEach(() => stack.end());

describe("recipes that call an alert service", () => {
  const asked: string[] = [];
  let status = 200;
  let server: Server;
  beforeAll(async () => {
    server = createServer(({ url = "" }, answer) => {
      asked.push(url);
      answer.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("a hook turns alerts off during a replacement", async () => {
    writeFileSync(join(stack.folder, "transform.ts"), codeOf("a transform"));
    writeFileSync(join(stack.folder, "index.ts"), `import "./transform";\n${codeOf("hooks")}`);
    // A listening TCP server has an address.
    stack.set({ "test:alerts": `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    expect(await stack.up()).toMatchObject({ create: 1 + 1 });
    expect(asked.splice(0)).toEqual(["/portal/on"]);
    const first = stack.state()["portal"]?.id ?? "";
    expect(await stack.stored("http-server-tests", first)).toMatchObject({ interval: 300 });

    stack.set({ "test:prioritized": "true" });
    status = 503;
    const { code, text } = await stack.run("up", "--yes", "--skip-preview");
    expect(code).not.toBe(0);
    expect(text).toContain("The alerts of portal cannot be turned off: 503");
    expect(asked.splice(0)).toEqual(["/portal/off"]);
    expect(await stack.ids("http-server-tests")).toEqual([first]);

    status = 200;
    expect(await stack.up()).toMatchObject({ replace: 1 });
    expect(asked.splice(0)).toEqual(["/portal/off", "/portal/on"]);
    expect(await stack.ids("http-server-tests")).toEqual([stack.state()["portal"]?.id]);
    expect(stack.state()["portal"]?.id).not.toBe(first);
  });
});

if (isLong)
  it("a Pulumi ESC environment sets stack configuration and environment variables", async () => {
    const text = codeOf("Pulumi ESC").replace("https://api.thousandeyes.com", stack.emulator.url);
    const folder = temporary();
    for (const name of ["tools/engine/go.mod", "tools/engine/go.sum", "test/real/support/esc/main.go"])
      copyFileSync(join(repository, name), join(folder, name.split("/").at(-1) ?? ""));
    const env = plainEnv({ CGO_ENABLED: "0", GOWORK: "off" });
    const { code, stdout, stderr } = await runProcess("go", ["run", "-mod=mod", "."], {
      cwd: folder,
      env,
      stdin: text.replace("the-token", "emulator-token"),
      bound: 500_000,
    });
    if (code !== 0) throw new Error(stderr);
    const { pulumiConfig, environmentVariables } = JSON.parse(stdout) as Record<string, Record<string, string>>;
    const values = [stack.emulator.url, "emulator-token"];
    expect(pulumiConfig).toEqual({ "endpoint-monitoring:baseUrl": values[0], "endpoint-monitoring:token": values[1] });
    expect(Object.values(environmentVariables ?? {}).toSorted()).toEqual(values.toSorted());

    // Removes the stack's own settings in favor of the variables.
    stack.configure({ baseUrl: null, token: null });
    Object.assign(stack.environment, environmentVariables);
    const program = `import { Label } from "${stack.module}";\nnew Label("office", { name: "ESC", matchType: "or", filters: [] });\n`;
    writeFileSync(join(stack.folder, "index.ts"), program);
    expect(await stack.up()).toMatchObject({ create: 1 + 1 });
  });
