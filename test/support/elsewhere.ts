import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A program with a provider that uses another host. */
export interface Spelling {
  /** Declares the provider `p` and its resources, in JavaScript. `url` is the other host, `token` the stack's. */
  program: string;
  /** Base URL for `url`. @defaultValue the other host's URL */
  url?: (host: string, port: string) => string;
  /** Whether the update determines the base URL. */
  isUnknown?: true;
  /** Whether the preview hides the base URL. */
  isSecret?: true;
}

const provider = (rest = "", url = "url"): string => `const p = new Provider("p", { baseUrl: ${url}, token${rest} });\n`;
const label = (name = "stray", options = "provider: p"): string =>
  `new Label("${name}", { name: "${name}", matchType: "and", filters: [] }, { ${options} });\n`;
/** Reads a record, which sends a request in a preview. */
const read = 'Label.get("seen", "1", undefined, { provider: p });\n';
const component = (options: string, child: string): string =>
  `const site = new pulumi.ComponentResource("acme:index:Site", "site", {}, { ${options} });\n${child}`;
const written = (url: Spelling["url"]): Spelling => ({ program: provider() + label() + read, ...(url && { url }) });

/**
 * `home` is an existing label of the stack, and `kept` a label of the provider `q`, which used the stack's host in the last
 * update.
 */
export const spellings: Readonly<Record<string, Spelling>> = {
  literal: written(undefined),
  configuration: { program: provider("", 'new pulumi.Config().require("elsewhere")') + label() + read },
  environment: { program: provider("", "process.env.ELSEWHERE") + label() + read },
  "output of another resource": { program: provider("", "home.id.apply(() => url)") + label() + read },
  "unknown output": { program: provider("", "fresh.id.apply(() => url)") + label(), isUnknown: true },
  movedFrom: { program: provider(", movedFrom: homeUrl") + label() + read },
  "another account": { program: provider(', accountGroupId: "77"') + label() + read },
  "host name": written((_, port) => `http://localhost:${port}`),
  "upper case": written((_, port) => `HTTP://LOCALHOST:${port}`),
  "trailing path": written((host, port) => `http://${host}:${port}//v7/`),
  "decimal address": written((_, port) => `http://2130706433:${port}`),
  "full-width letters": written((_, port) => `http://ｌｏｃａｌｈｏｓｔ:${port}`),
  secret: { program: provider("", "pulumi.secret(url)") + label() + read, isSecret: true },
  component: { program: provider() + component("providers: [p]", label("stray", "parent: site")) },
  "inherited from a parent": {
    program: `${provider()}const parent = ${label("parent")}${label("stray", "parent, provider: undefined")}`,
  },
  get: { program: provider() + read },
  "provider without resources": { program: provider() },
  "provider that led home": {
    program: provider("", "homeUrl").replace('const p = new Provider("p"', 'const p = new Provider("unused"'),
  },
};

/** Returns the program of a spelling. @param module the module of the front */
export function programOf(spelling: Spelling | undefined, module: string, home: string, elsewhere: string): string {
  const { hostname, port } = new URL(elsewhere);
  const url = spelling?.url?.(hostname, port) ?? elsewhere;
  const isMoved = spelling === spellings["provider that led home"];
  return `const pulumi = require("@pulumi/pulumi");
const { Label, Provider } = require("${module}");
const token = new pulumi.Config("endpoint-monitoring").requireSecret("token");
const [homeUrl, url] = ${JSON.stringify([home, url])};
const home = ${label("home", "")}const q = new Provider("q", { baseUrl: ${isMoved ? "url" : "homeUrl"}, token });
${label("kept", "provider: q")}${spelling?.isUnknown ? `const fresh = ${label("fresh", "")}` : ""}${spelling?.program ?? ""}`;
}

/** The engine's output for a front: the exported state, and the preview of each spelling with the allowed hosts. */
export interface Recorded {
  state: object;
  previews: Record<string, { code: number; stdout: string }>;
}

/** Hosts in the recordings, which replace the recording machine's hosts. */
export const recordedHosts = { home: "127.0.0.1:18081", elsewhere: "127.0.0.1:18082", elsewherePort: "18082" };

export function recordingFile(front: string): string {
  return join(__dirname, `../fixtures/previews/elsewhere-${front}.json`);
}

export function recordedPreviews(front: string): Recorded {
  return JSON.parse(readFileSync(recordingFile(front), "utf8")) as Recorded;
}
