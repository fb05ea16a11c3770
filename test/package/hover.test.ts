import { rmSync } from "node:fs";
import { type Hover, hoversOf } from "./support/hover";
import { installPackage } from "./support/installed";

/** What an editor shows when the pointer is over a name. */
describe("hover", () => {
  let hovers: Hover[];
  beforeAll(() => {
    const folder = installPackage();
    try {
      hovers = hoversOf(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    process.stdout.write(`${table(hovers)}\n`);
  }, 120_000);

  const of = (kind: Hover["kind"], side: Hover["side"]) => hovers.filter((one) => one.kind === kind && one.side === side);
  const mute = (those: Hover[]) => those.filter(({ text }) => text === "").map((one) => `${one.of}: ${one.path}`);

  it("describes every argument of every class", () => {
    expect(of("class", "arguments").length).toBeGreaterThan(100);
    expect(mute(of("class", "arguments"))).toEqual([]);
  });

  it("describes every output of every class", () => {
    expect(of("class", "outputs").length).toBeGreaterThan(200);
    expect(mute(of("class", "outputs"))).toEqual([]);
  });

  it("describes every argument of every function", () => {
    expect(of("function", "arguments").length).toBeGreaterThan(600);
    expect(mute(of("function", "arguments"))).toEqual([]);
  });

  it("describes every member of every result", () => {
    expect(of("function", "results").length).toBeGreaterThan(1_800);
    expect(mute(of("function", "results"))).toEqual([]);
  });
});

/** How many of the names of each class and function are described. */
function table(hovers: readonly Hover[]): string {
  const rows = Map.groupBy(hovers, (one) => `${one.of}, ${one.side}`);
  return [...rows]
    .map(([name, those]) => `${name}: ${those.filter(({ text }) => text !== "").length} of ${those.length}`)
    .join("\n");
}
