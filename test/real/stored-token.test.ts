/** Tests where the state stores the token, as docs/security.md describes it, on the real engine. */
import { fronts, type Program, Stack } from "./support/stack";

const [first, rotated] = ["emulator-token", "rotated-t0ken"];
const label = (color: string): Program => ({
  office: { kind: "Label", args: { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }], color } },
});

describe.each(fronts)("the token in the state of %s resources", (front) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith(front);
    stack.declare(label("#112233"));
    await stack.up();
  });
  afterAll(() => stack.end());

  /** Returns the resources of the state that contain a token, each with the token, and whether a token is in clear text. */
  async function stored(): Promise<{ places: string[]; isOpen: boolean }> {
    const { stdout } = await stack.must("stack", "export", "--show-secrets");
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: { urn: string; type: string }[] } };
    const tokensIn = (text: string): string[] => [first, rotated].filter((token) => text.includes(token));
    const places = deployment.resources.flatMap((resource) =>
      tokensIn(JSON.stringify(resource)).map((token) => `${resource.type} ${token}`),
    );
    return { places, isOpen: tokensIn((await stack.must("stack", "export")).stdout).length > 0 };
  }
  const provider = `pulumi:providers:${front === "native" ? "endpoint-monitoring" : "pulumi-nodejs"}`;
  const fails = async (): Promise<void> => expect((await stack.run("up", "--yes", "--skip-preview")).code).not.toBe(0);

  it("only the provider contains the token, encrypted", async () => {
    expect(await stored()).toEqual({ places: [`${provider} ${first}`], isOpen: false });
  });

  it("a failed update replaces a rotated token", async () => {
    await stack.secret("endpoint-monitoring:token", rotated);
    stack.declare(label("#445566"));
    await fails();
    expect(await stored()).toEqual({ places: [`${provider} ${rotated}`], isOpen: false });
  });

  it("a removed token stays until an update configures the provider", async () => {
    await stack.must("config", "rm", "endpoint-monitoring:token");
    await fails();
    // The plugin refuses to be configured without credentials, before the engine stores its settings.
    expect((await stored()).places).toEqual(front === "native" ? [`${provider} ${rotated}`] : []);
    stack.environment["ENDPOINT_MONITORING_TOKEN"] = first;
    await stack.up();
    expect((await stored()).places).toEqual([]);
  });

  const how = front === "native" ? "encrypts" : "does not encrypt";
  it(`the state ${how} a token that is in clear text in the configuration`, async () => {
    stack.configure({ token: first });
    await stack.up();
    expect((await stored()).isOpen).toBe(front === "dynamic");
  });
});
