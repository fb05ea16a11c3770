import { unknownValue } from "../../provider/values";
import { configurationProblem } from "../../plugin/configuration";

const settings = { baseUrl: "https://api.example.com", token: "t0ken" };

describe("the provider's configuration", () => {
  it.each([
    ["version", "0.1.0"],
    ["pluginDownloadURL", "https://plugins.example.com"],
    ["__internal", { pluginDownloadURL: "https://plugins.example.com" }],
    ["__defaults", []],
  ])("the provider accepts the setting %s, which the engine adds", (name, value) => {
    expect(configurationProblem({ ...settings, [name]: value })).toBeUndefined();
  });

  it.each(["versions", "pluginDownloadUrl", "_internal", "tokn"])("the provider refuses the unknown setting %s", (name) => {
    expect(configurationProblem({ ...settings, [name]: "x" })).toMatch(`Unknown setting ${name}. Expected: baseUrl, `);
  });

  it("the provider does not check its settings while a setting is unknown", () => {
    expect(configurationProblem({ ...settings, tokn: unknownValue })).toBeUndefined();
  });
});
