import { createHost, type DynamicProvider } from "../../provider/dynamic";
import type { KindName } from "../../provider/registry";
import { kindCases } from "../support/kinds";
import { hosted } from "../provider/bench";
import { useEmulator } from "../support/emulator";

/** Tests the provider's messages about a user's mistake. test/real/mistakes shows them on the engine. */
describe("messages about a user's mistake", () => {
  const service = useEmulator();

  const provider = (kind: KindName): DynamicProvider => hosted(service.emulator, kind);
  const messageFor = async (kind: KindName, args: object): Promise<string> => {
    const { failures } = await provider(kind).check({}, { ...args });
    // The engine prints the value of a property that a failure names.
    for (const { property } of failures) expect(property).toBe("");
    return failures.map(({ reason }) => reason).join("\n");
  };

  it("the provider's check names the path of each invalid label filter", async () => {
    const text = await messageFor("label", {
      name: "",
      color: "blue",
      matchType: "AND",
      filters: [
        { key: "", values: ["a"] },
        { key: "platform", values: ["Win*"] },
        { key: "local-network", mode: "not", values: ["10.0.0.0/33", "10.0.0.0/8"] },
        { key: "ssid", values: [], value: "guest" },
      ],
    });
    for (const line of [
      "filters[0].key must not be empty",
      "name must not be empty",
      "color must be a color such as #d9d9d9",
      "matchType must be one of and, or (did you mean and?)",
      "filters[1].values[0] must be one of Mac, Windows, Linux; wildcards are for ssid, hostname and username only",
      "filters[2].mode must be one of in, not-in",
      "filters[2].values[0] must be an IP address or a CIDR block",
      "filters[3].values must have at least 1 item",
      "filters[3].value is not a property (did you mean values?)",
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain("filters[2].values[1]");
  });

  it.each<[object, string]>([
    [{ password: "p" }, "password needs username\npassword requires authType basic or ntlm"],
    [{ password: "p", username: "u" }, "password requires authType basic or ntlm"],
    [{ password: "p", authType: "basic" }, "password needs username\nusername is required with authType basic"],
    [{ authType: "ntlm" }, "username is required with authType ntlm"],
    [{ authType: "basic", username: "u" }, ""],
    [{ authType: "ntlm", username: "u", password: "p" }, ""],
    [{ username: "u" }, ""],
  ])("the provider's check lists all mistakes in the authentication of an HTTP test: %j", async (args, failures) => {
    for (const kind of ["httpServerTest", "httpServerInstantTest"] as const) {
      expect(await messageFor(kind, { testName: "T", url: "https://www.example.com", ...args })).toBe(failures);
    }
  });

  it.each<[KindName, object, string]>([
    ["testRun", { expect: { maxLos: 1 } }, "expect.maxLos is not a property (did you mean maxLoss?)"],
    ["httpServerInstantTest", { waitForResults: { timout: 60 } }, "waitForResults.timout is not a property (did you mean"],
    ["endpointAgent", { lookup: { computerNam: "a" } }, "lookup.computerNam is not a property (did you mean computerName?)"],
  ])("the provider's check suggests the nearest name for an unknown member of %s: %j", async (kind, args, failure) => {
    expect(await messageFor(kind, args)).toContain(failure);
  });

  it("the provider's check explains wrong values and missing properties of tests", async () => {
    const server = await messageFor("agentToServerTest", {
      testName: "T",
      server: "www.example.com:8443",
      port: 70000,
      agentSelectorType: "specific-agents",
    });
    expect(server).toContain("server must be only a host name or an IP address; the port goes into port");
    expect(server).toContain("port must be at most 65535");
    expect(server).toContain("agents is required with agentSelectorType specific-agents");
    const dynamic = await messageFor("dynamicTest", { application: "" });
    expect(dynamic).toContain("application must not be empty");
    expect(dynamic).toContain("testName is required");
  });

  it("only the first failure describes wrong credentials in full", async () => {
    const host = createHost();
    const failure = async (kind: KindName, work: (of: DynamicProvider) => Promise<unknown>): Promise<string> => {
      return work(hosted(service.emulator, kind, { host, token: "wrong-t0ken" })).then(
        () => "",
        ({ message }: Error) => message,
      );
    };
    const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
    const first = await failure("label", (of) => of.create(office));
    expect(first).toContain("answered 401");
    const portal = { testName: "Portal", url: "https://www.example.com" };
    const others = [
      await failure("httpServerTest", (of) => of.create(portal)),
      await failure("httpServerTest", (of) => of.update("17", portal, { ...portal, interval: 300 })),
      await failure("agentToServerTest", (of) => of.delete("18", { testName: "VPN" })),
    ];
    const short = 'failed for the same reason as the label "Office" (unauthorized): see the error of the label "Office"';
    expect(others).toEqual([short, short, short]);
  });

  it.each(Object.entries(kindCases).map(([kind, { className }]) => [className, kind as KindName] as const))(
    "get() fails for a %s that does not exist",
    async (_className, kind) => {
      const failure = await provider(kind)
        .read("999999999", { __provider: "" })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        message: expect.stringMatching(/There is no .+ 999999999 in the selected account group/),
        // The host prints the stack.
        stack: "",
      });
    },
  );
});
