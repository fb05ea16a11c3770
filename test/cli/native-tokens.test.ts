/** Both fronts are the same to the commands: a token of either is that of a kind. */
import { kindNameOf, managedIn } from "../../engine/state";
import { registry } from "../../provider/registry";
import { nativeToken, typeToken } from "../../sdk/token";

test.each(Object.entries(registry))("%s is known by both tokens, and by no other", (name, { name: className }) => {
  expect([kindNameOf(typeToken(className)), kindNameOf(nativeToken(className))]).toEqual([name, name]);
  expect(kindNameOf(`endpoint-monitoring:other:${className}`)).toBeUndefined();
  expect(kindNameOf(`other:index:${className}`)).toBeUndefined();
});

test("a resource of the state is the same whichever front it has, and the provider of a native one is none", () => {
  const resource = (type: string) => ({
    urn: `urn:pulumi:dev::test::${type}::office`,
    type,
    custom: true,
    id: "1",
    inputs: { name: "Office" },
    outputs: { name: "Office", __provider: "exports.handler=…" },
  });
  const managed = (type: string) =>
    managedIn("dev", { deployment: { resources: [resource("pulumi:providers:endpoint-monitoring"), resource(type)] } });
  const [native, dynamic] = [managed(nativeToken("Label")), managed(typeToken("Label"))];
  expect(native).toEqual(dynamic.map((one) => ({ ...one, urn: native[0]?.urn })));
  expect(native).toMatchObject([{ kindName: "label", name: "office", outputs: { name: "Office" } }]);
});
