import { reasonsOf } from "../../cli/engine/diagnostics";
import { propertyPath, withValue } from "../../cli/drift/look";

const run = (stdout: string, more: object = {}) => ({
  code: 1,
  stdout,
  stderr: "",
  interrupted: false,
  cutOff: false,
  ...more,
});

describe("why a run failed", () => {
  it("is told a resource at a time, from the diagnostics alone, each once", () => {
    const diagnostics = `Diagnostics:
  pulumi-nodejs:dynamic/endpoint-monitoring:HttpServerTest (h1 (new)):
    error: unable to replace resource "urn:x"
    as it is currently marked for protection.

  pulumi:pulumi:Stack (test-dev):
    replace HTTP-server test "H1" (1): error: in its name; set at creation only

    error: update failed

  pulumi-nodejs:dynamic/endpoint-monitoring:Label (l):
    error: 2 errors occurred:
    \t* The label l is refused
    \t* for another reason
    warning: and this is none
`;
    const text = `Updating (dev):\n ~ h1 updating error: on the way\n${diagnostics}\nResources:\n    1 errored\n${diagnostics}\nDuration: 1s\n`;
    expect(reasonsOf(run(text))).toEqual([
      'h1 (new): unable to replace resource "urn:x" as it is currently marked for protection.',
      "l: 2 errors occurred: * The label l is refused * for another reason",
    ]);
  });

  it("is the engine's own word where it prints no diagnostics", () => {
    expect(reasonsOf(run("", { stderr: "error: no stack named 'x' found\n" }))).toEqual(["pulumi: no stack named 'x' found"]);
    expect(reasonsOf(run("", { interrupted: true }))).toEqual([
      "pulumi: interrupted. The engine has wound up what was under way.",
    ]);
    expect(reasonsOf(run("", { stderr: "killed", code: 137 }))).toEqual(["pulumi: pulumi ended with 137: killed"]);
  });
});

describe("a property path of the engine", () => {
  it.each([
    ["interval", ["interval"]],
    ["filters[0].values", ["filters", "0", "values"]],
    ['filters[1]["a.b \\"c\\""]', ["filters", "1", 'a.b "c"']],
    ['["x"].y', ["x", "y"]],
    ["*", ["*"]],
  ])("%s is %j", (text, path) => {
    expect(propertyPath(text)).toEqual(path);
  });

  it("is set in a copy, and changes nothing where it leads nowhere", () => {
    const given = { filters: [{ key: "a", values: ["1"] }] };
    expect(withValue(given, ["filters", "0", "values"], ["2"])).toEqual({ filters: [{ key: "a", values: ["2"] }] });
    expect(given).toEqual({ filters: [{ key: "a", values: ["1"] }] });
    expect(withValue(given, ["filters", "7", "values"], ["2"])).toEqual(given);
    expect(withValue(given, ["name"], "x")).toEqual({ ...given, name: "x" });
  });
});
