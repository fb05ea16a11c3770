/**
 * Takes the pictures of the README from what the package prints and serves: `npm run docs:pictures`. The quickstart example is created
 * on the real engine, against the emulator, and changed; the comment is the Markdown of `review`, shown as a forge shows it. The terminal
 * shows what `dev` prints in an empty folder.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { hostname, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import { chromium } from "playwright-core";
import { pulumiIn } from "../engine/demo/pulumi.mjs";
import { startService } from "../engine/demo/service.mjs";
import { makeWorkspace } from "../engine/demo/workspace.mjs";
import { ensureEngine } from "../engine/ensure.mjs";
import { pngOf } from "./palette.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../docs");
const root = join(folder, "..");
const require = createRequire(import.meta.url);
require("../../test/setup/typescript.cjs");
const { createClient } = require("../dist/api/index.js");
const { defaults, start } = require("../dist/emulator/index.js");
const { chromiumPath } = require("../../test/page/support.ts");

/** Largest size of a picture, as every reader of the README loads it. */
const maxBytes = 110_000;

/** Rounds that the emulator's picture shows: it runs one a second. */
const rounds = 24;

/** The change that the comment is about, as pairs of what the program has and what it gets. */
const change = [
  ['name: "Remote on VPN",\n  matchType: "and"', 'name: "Remote on VPN",\n  matchType: "or"'],
  ["httpTimeLimit: 3000", "httpTimeLimit: 4000"],
];

const silent = { command: () => undefined, say: () => undefined, output: () => undefined };

/** The emulator's one agent that measures has the name of this machine, which is nobody's business. */
async function renameOwnAgent({ url, token, patch }) {
  const { agents } = await (await fetch(`${url}/v7/endpoint/agents`, { headers: { authorization: `Bearer ${token}` } })).json();
  const own = agents.find(({ computerName }) => computerName === hostname());
  await patch(`/v7/endpoint/agents/${own.id}`, { name: "LON-D00001" });
}

/** Creates the example, changes it and reviews the change. */
async function reviewed(workspace, service, signal) {
  const variables = { URL: service.url, TOKEN: service.token, PROBE_PASSWORD: "correct-horse-battery" };
  const pulumi = pulumiIn({ workspace, variables, report: silent, requests: service.requests, signal });
  await pulumi("pulumi stack init dev");
  await pulumi('pulumi config set endpoint-monitoring:baseUrl "$URL"');
  await pulumi('pulumi config set --secret endpoint-monitoring:token "$TOKEN"');
  await pulumi('pulumi config set --secret probePassword "$PROBE_PASSWORD"');
  await pulumi("pulumi up --yes --skip-preview");
  const file = join(workspace.program, "index.ts");
  let program = readFileSync(file, "utf8");
  for (const [before, after] of change) {
    if (!program.includes(before)) throw new Error(`examples/quickstart/index.ts no longer has ${JSON.stringify(before)}`);
    program = program.replace(before, after);
  }
  writeFileSync(file, program);
  await pulumi("endpoint-monitoring review --stack dev --markdown review.md");
  return readFileSync(join(workspace.program, "review.md"), "utf8");
}

/** Lines of a diff in the colors that forges give them. */
const colored = (html) =>
  html.replaceAll(/(?<=class="language-diff">)[^<]*/g, (diff) =>
    diff.replaceAll(/^[+-].*$/gm, (line) => `<span class="${line[0] === "+" ? "added" : "removed"}">${line}</span>`),
  );

const comment = (
  markdown,
) => `<!doctype html><meta charset="utf-8"><style>${readFileSync(join(folder, "forge.css"), "utf8")}</style>
<article class="comment"><header><b>endpoint-monitoring</b> commented on this pull request</header>
<div>${colored(marked.parse(markdown, { async: false, gfm: true }))}</div></article>`;

/** Runs `dev` in a folder with nothing but the package, until it has measured. @returns the command and all that it printed */
async function developed({ dir }) {
  const above = realpathSync(mkdtempSync(join(tmpdir(), "pictures-")));
  const empty = join(above, "monitoring");
  mkdirSync(join(empty, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(empty, "node_modules/pulumi-endpoint-monitoring"), "dir");
  for (const name of ["@pulumi/pulumi", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(empty, "node_modules", name), "dir");
  const env = { ...process.env, PATH: [dir, process.env.PATH].join(delimiter) };
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), "dev"], { cwd: empty, env });
  let printed = "$ npx endpoint-monitoring dev\n";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      printed += String(text);
      if (printed.includes("1 passed.")) child.stdin.end("q");
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  rmSync(above, { recursive: true });
  if (code !== 0 || !printed.includes("1 passed.")) throw new Error(`dev ended with ${code}:\n${printed}`);
  return printed.replaceAll(new RegExp(`\\b${hostname()}\\b`, "g"), "your-computer").trim();
}

const terminal = (
  text,
) => `<!doctype html><meta charset="utf-8"><style>${readFileSync(join(folder, "terminal.css"), "utf8")}</style>
<pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`;

/** Red, green, blue and alpha of each pixel: Chromium reads its own PNG. */
async function pixelsOf(context, png) {
  const page = await context.newPage();
  const { width, height, base64 } = await page.evaluate(async (source) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
    const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, image.width, image.height);
    return {
      width: image.width,
      height: image.height,
      base64: data.toBase64?.() ?? btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")),
    };
  }, png.toString("base64"));
  return { width, height, pixels: Buffer.from(base64, "base64") };
}

/** Runs an emulator whose tests have measured a server of this process, which takes longer from time to time. */
async function measured() {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    setTimeout(() => response.writeHead(count % 9 === 0 ? 503 : 200).end("ok"), 20 + ((count * 37) % 60));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const emulator = await start({ speed: 60, rateLimit: "off" });
  const client = createClient({ baseUrl: emulator.url, token: defaults.token });
  const http = (testName, path) =>
    client.httpServerTests.create({ body: { testName, url: `http://127.0.0.1:${port}${path}`, interval: 60 } });
  await http("Portal", "/health");
  await http("Intranet", "/");
  const { testId } = await client.agentToServerTests.create({
    body: { testName: "VPN gateway", server: "127.0.0.1", port, protocol: "tcp" },
  });
  await client.close();
  await sleep(rounds * 1000);
  return { url: `${emulator.url}/tests`, testId, stop: () => emulator.close().then(() => server.close()) };
}

/** Takes a picture, light and dark, of what `open` opens. */
async function take(browser, name, size, open) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: size, colorScheme, deviceScaleFactor: 1.5 });
    const page = await context.newPage();
    await open(page);
    const path = join(folder, "pictures", `${name}-${colorScheme}.png`);
    const png = pngOf(await pixelsOf(context, await page.screenshot({ fullPage: true })));
    if (png.length > maxBytes) throw new Error(`${path} would have ${png.length} bytes, more than ${maxBytes}`);
    writeFileSync(path, png);
    console.log(`docs/pictures/${name}-${colorScheme}.png: ${Math.round(png.length / 1000)} kB`);
    await context.close();
  }
}

const { signal } = new AbortController();
const undo = [];
try {
  const engine = await ensureEngine();
  const session = await developed(engine);
  const workspace = makeWorkspace({ checkout: root, engine, color: false });
  undo.push(workspace.remove);
  const service = await startService({ checkout: root, folder: workspace.folder, signal });
  undo.push(service.stop);
  await renameOwnAgent(service);
  const markdown = await reviewed(workspace, service, signal);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--disable-gpu"] });
  undo.push(() => browser.close());
  mkdirSync(join(folder, "pictures"), { recursive: true });
  await take(browser, "review", { width: 820, height: 100 }, (page) => page.setContent(comment(markdown)));
  await take(browser, "dev", { width: 820, height: 100 }, (page) => page.setContent(terminal(session)));
  const emulator = await measured();
  undo.push(emulator.stop);
  await take(browser, "emulator", { width: 1000, height: 540 }, (page) => page.goto(emulator.url));
} finally {
  for (const step of undo.toReversed()) await step();
}
