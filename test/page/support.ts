import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  type BrowserContext,
  type BrowserContextOptions,
  type Browser as Chromium,
  chromium,
  type Page,
} from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** Longest time of an installation. */
const installLimitMs = 240_000;

/** Longest time before a suite's first test. The browser may have to be installed. */
export const startLimitMs = installLimitMs + 60_000;

/** Path of Chromium. Installs Debian's package if it is missing. @throws Error of one line */
export function chromiumPath(): string {
  const executable = onPath();
  if (executable !== undefined) return executable;
  const missing = "Chromium is missing: install Debian's package `chromium`, or put `chromium` on the PATH";
  if (process.getuid?.() !== 0) throw new Error(`${missing} (only root can do that here).`);
  try {
    const options = {
      timeout: installLimitMs / 2,
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    } as const;
    execFileSync("apt-get", ["update"], options);
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options);
  } catch (error) {
    throw new Error(`${missing} (apt-get failed: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}).`, {
      cause: error,
    });
  }
  const installed = onPath();
  if (installed === undefined) throw new Error(`${missing} (apt-get left none there).`);
  return installed;
}

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** A page in its own browser profile, and its forbidden actions. */
export interface Look {
  readonly page: Page;
  /** Console errors, exceptions, and requests that left the emulator. */
  readonly complaints: string[];
}

/** A headless Chromium, started when the first page is opened. Each page has a fresh profile, which is deleted with it. */
export class Browser {
  #chromium: Promise<Chromium> | undefined;
  readonly #profiles: BrowserContext[] = [];

  /** @param args additional arguments for Chromium */
  constructor(private readonly args: readonly string[] = []) {}

  /** Opens a page that may only load from `origin`. */
  async open(origin: string, options: BrowserContextOptions = {}): Promise<Look> {
    this.#chromium ??= launch(this.args);
    const context = await (await this.#chromium).newContext({ viewport: { width: 1280, height: 900 }, ...options });
    this.#profiles.push(context);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
    page.on("request", (request) => new URL(request.url()).origin !== origin && complaints.push(`request: ${request.url()}`));
    return { page, complaints };
  }

  /** Closes the pages that are open, with their profiles. */
  async closePages(): Promise<void> {
    for (const context of this.#profiles.splice(0)) await context.close();
  }

  /** Closes the pages, and Chromium. */
  async close(): Promise<void> {
    await this.closePages();
    await (await this.#chromium)?.close();
    this.#chromium = undefined;
  }
}

function launch(more: readonly string[]): Promise<Chromium> {
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}
