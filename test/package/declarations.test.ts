import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { reachedFrom } from "./support/declarations";
import { installPackage } from "./support/installed";

const exported = z.object({ types: z.string().optional() }).or(z.string());
const manifest = z.object({ exports: z.record(z.string(), exported), typesVersions: z.record(z.string(), z.unknown()) });

/**
 * A user's compiler checks all declarations that a type uses. The declarations of zod are larger than all of Pulumi's
 * declarations.
 */
describe("declarations of the package", () => {
  let folder: string;
  let root: string;
  beforeAll(() => {
    folder = installPackage();
    root = join(folder, "node_modules/pulumi-endpoint-monitoring");
  });

  const read = () => manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

  it.each([
    [".", ["@pulumi/pulumi"]],
    ["./provider", []],
    ["./api", []],
    ["./emulator", []],
    ["./testing", ["@pulumi/pulumi"]],
    ["./policy", []],
  ])("the declarations of %s import no packages except %j", (name, allowed: string[]) => {
    const entry = exported.parse(read().exports[name]);
    const { files, imports } = reachedFrom(root, typeof entry === "string" ? entry : (entry.types ?? ""));
    expect(files.length).toBeGreaterThan(0);
    // A package or one of its modules.
    const isAllowed = (imported: string): boolean => allowed.some((other) => `${imported}/`.includes(` imports ${other}/`));
    expect(imports.filter((imported) => !isAllowed(imported))).toEqual([]);
  });

  it("typesVersions in package.json lists the declarations of every typed subpath in the `exports` field", () => {
    const { exports, typesVersions } = read();
    const types = Object.entries(exports).flatMap(([name, entry]) =>
      typeof entry === "string" ? [] : [[name.replace("./", ""), [entry.types]] as const],
    );
    expect(types.map(([name]) => name)).toEqual([".", "native", "provider", "api", "emulator", "testing", "policy"]);
    expect(typesVersions).toEqual({ "*": Object.fromEntries(types.filter(([name]) => name !== ".")) });
  });
});
