/** Finds the provider by the provider strings in the folder layouts of package managers. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { providerString, searchingProviderString } from "../../sdk/token";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

function put(path: string, content: object | string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
}

/** Installs a copy of this package with a label provider that returns the copy's location. */
function putOwn(place: string): void {
  put(`${place}/package.json`, {
    name: "pulumi-endpoint-monitoring",
    exports: { "./provider": "./provider.js" },
  });
  put(`${place}/provider.js`, `exports.label = { name: ${JSON.stringify(place)}, discreet: "discreet" };`);
}

function link(from: string, to: string): void {
  mkdirSync(dirname(join(folder, from)), { recursive: true });
  symlinkSync(join(folder, to), join(folder, from), "dir");
}

/** Returns what the host of dynamic providers loads for a string in a folder. */
function loaded(string: string, from = "."): string {
  const script = `const exports = {}; ${string}; const found = exports.handler(); console.log(found.name ?? found);`;
  return execFileSync(process.execPath, ["-e", script], {
    cwd: join(folder, from),
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

const search = searchingProviderString("Label");

/** Installs a program that depends on a component package in a strict layout: each package can load only its dependencies. */
function putStrict(store: string): void {
  put("package.json", {
    dependencies: { "@scope/acme": "1.0.0", events: "3.0.0", missing: "1.0.0" },
  });
  put("node_modules/events/package.json", {
    name: "events",
    dependencies: { "@scope/acme": "1.0.0" },
  });
  link("node_modules/@scope/acme", `node_modules/${store}/acme@1/node_modules/@scope/acme`);
  put(`node_modules/${store}/acme@1/node_modules/@scope/acme/package.json`, {
    dependencies: { base: "1.0.0" },
  });
  link(`node_modules/${store}/acme@1/node_modules/base`, `node_modules/${store}/base@1/node_modules/base`);
  // Packages may depend on each other.
  put(`node_modules/${store}/base@1/node_modules/base/package.json`, {
    dependencies: { "@scope/acme": "1.0.0" },
  });
  link(`node_modules/${store}/base@1/node_modules/@scope/acme`, `node_modules/${store}/acme@1/node_modules/@scope/acme`);
  const ownFolder = `node_modules/${store}/own@1/node_modules/pulumi-endpoint-monitoring`;
  putOwn(ownFolder);
  link(`node_modules/${store}/base@1/node_modules/pulumi-endpoint-monitoring`, ownFolder);
}

it.each([
  ["pnpm", ".pnpm"],
  ["npm --install-strategy=linked", ".store"],
])("the serialized provider finds the package even if only other packages depend on it: %s", (_, store) => {
  putStrict(store);
  expect(() => loaded(providerString("Label"))).toThrow(/Cannot find module 'pulumi-endpoint-monitoring\/provider'/);
  expect(loaded(search)).toBe(`node_modules/${store}/own@1/node_modules/pulumi-endpoint-monitoring`);
  expect(loaded(searchingProviderString("Label", true))).toBe("discreet");
});

it("the serialized provider finds the package from a folder below package.json", () => {
  putStrict(".pnpm");
  put("program/src/index.js", "");
  expect(loaded(search, "program/src")).toContain("own@1");
});

it("the serialized provider prefers the package in the program's folder", () => {
  putStrict(".pnpm");
  putOwn("node_modules/pulumi-endpoint-monitoring");
  for (const string of [search, providerString("Label")]) {
    expect(loaded(string)).toBe("node_modules/pulumi-endpoint-monitoring");
  }
});

it("the error about a missing provider names the program's folder", () => {
  put("package.json", { dependencies: { acme: "1.0.0" } });
  put("node_modules/acme/package.json", "{ oops");
  expect(() => loaded(search)).toThrow(
    /Cannot find module 'pulumi-endpoint-monitoring\/provider'\s+Require stack:\s+- \S+_\.js/,
  );
});

it("the serialized provider does not change errors that the package throws", () => {
  putStrict(".pnpm");
  put("node_modules/.pnpm/own@1/node_modules/pulumi-endpoint-monitoring/provider.js", 'require("undici");');
  expect(() => loaded(search)).toThrow(/Cannot find module 'undici'/);
});

it("the text of a serialized provider never changes, because states contain the text", () => {
  expect(providerString("AgentToServerTest")).toBe(
    'exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("pulumi-endpoint-monitoring/provider").agentToServerTest',
  );
  expect(searchingProviderString("Label")).toMatchInlineSnapshot(
    `"exports.handler=()=>(()=>{let f=require("fs"),c=d=>require("module").createRequire(d+"/_.js"),p="pulumi-endpoint-monitoring/provider",w=process.cwd(),q=new Set([w]),m;for(let d of q){let r=c(d),j;try{m=r.resolve(p);break}catch{}try{j=JSON.parse(f.readFileSync(d+"/package.json"))}catch{q.add(require("path").dirname(d));continue}for(let n in{...j.dependencies,...j.devDependencies})for(let x of r.resolve.paths("_"))if(f.existsSync(x+="/"+n)){q.add(f.realpathSync(x));break}}return c(w)(m??p)})().label"`,
  );
  expect(Buffer.byteLength(searchingProviderString("AgentToServerInstantTest", true))).toBeLessThan(550);
});
