import { type Hover, hoversOf } from "./support/hover";
import { installPackage } from "./support/installed";

/** Checks the descriptions that an editor shows for a name under the pointer. */
describe("editor descriptions", () => {
  let hovers: Hover[];
  beforeAll(() => {
    hovers = hoversOf(installPackage());
    process.stdout.write(`${table(hovers)}\n`);
  });

  const of = (kind: Hover["kind"], side: Hover["side"]) => hovers.filter((hover) => hover.kind === kind && hover.side === side);
  const mute = (those: Hover[]) => those.filter(({ text }) => text === "").map((hover) => `${hover.of}: ${hover.path}`);

  it("each argument of a class has a description", () => {
    expect(of("class", "arguments").length).toBeGreaterThan(100);
    expect(mute(of("class", "arguments"))).toEqual([]);
  });

  it("each output of a class has a description", () => {
    expect(of("class", "outputs").length).toBeGreaterThan(200);
    expect(mute(of("class", "outputs"))).toEqual([]);
  });

  it("each argument of a function has a description", () => {
    expect(of("function", "arguments").length).toBeGreaterThan(600);
    expect(mute(of("function", "arguments"))).toEqual([]);
  });

  it("each member of a function's result has a description", () => {
    expect(of("function", "results").length).toBeGreaterThan(1_800);
    expect(mute(of("function", "results"))).toEqual([]);
  });
});

/** Number of described names of each class and function. */
function table(hovers: readonly Hover[]): string {
  const rows = Map.groupBy(hovers, (hover) => `${hover.of}, ${hover.side}`);
  return [...rows]
    .map(([name, those]) => `${name}: ${those.filter(({ text }) => text !== "").length} of ${those.length}`)
    .join("\n");
}
