import { kindNameOf, managedIn } from "../../engine/state";
import { registry } from "../../provider/registry";
import { nativeToken, typeToken } from "../../sdk/token";

test.each(Object.entries(registry))(
  "a command recognizes a %s only by its dynamic and native type tokens",
  (name, { name: className }) => {
    expect([kindNameOf(typeToken(className)), kindNameOf(nativeToken(className))]).toEqual([name, name]);
    expect(kindNameOf(`endpoint-monitoring:other:${className}`)).toBeUndefined();
    expect(kindNameOf(`other:index:${className}`)).toBeUndefined();
  },
);

test("a command reads resources of both provider types from a state", () => {
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
  expect(native).toEqual(dynamic.map((dynamicResource) => ({ ...dynamicResource, urn: native[0]?.urn })));
  expect(native).toMatchObject([{ kindName: "label", name: "office", outputs: { name: "Office" } }]);
});
