import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk";

/** Settings that a test has put into the environment. */
const names: string[] = [];

/** Puts settings into the environment and removes previous ones. Sets a token by default. */
export function settle(settings: Record<string, string>): void {
  for (const name of names.splice(0)) delete process.env[name];
  for (const [key, value] of Object.entries({ token: "given-token", ...settings })) {
    const name = `ENDPOINT_MONITORING_${key.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;
    process.env[name] = value;
    names.push(name);
  }
}

/** Returns an output's final value and whether it is secret. */
export async function resolved<T>(output: pulumi.Output<T> | undefined): Promise<{ value: unknown; secret: boolean }> {
  const value = await new Promise<unknown>((resolve) => pulumi.output(output).apply(resolve));
  return { value, secret: output !== undefined && (await pulumi.isSecret(output)) };
}

/** Arguments that the compiler must accept: resources, their outputs and outputs of functions. Never called. */
export function typed(gateway: sdk.AgentToServerTest, office: sdk.Label): unknown[] {
  const label = sdk.getLabelOutput({ id: office.id });
  return [
    sdk.getNetworkResultsOutput({ test: gateway, window: "1h" }, { dependsOn: gateway }),
    sdk.getNetworkResultsOutput({ test: gateway.testId, searchFilters: { agentId: [label.id] } }),
    sdk.getPathVisualizationsOutput({ test: sdk.getTestOutput({ testId: gateway.testId }), limit: 1 }),
    sdk.getLabelsOutput({}, { dependsOn: [office, gateway] }),
    label.id.apply((id) => id.length),
    label.filters?.apply((filters) => filters?.map(({ key, values }) => [key, values.length])),
    // @ts-expect-error no such member
    label.nmae,
    // @ts-expect-error exactly one of id and name
    sdk.getLabelOutput({ id: office.id, name: "Office" }),
    // @ts-expect-error a plain function takes no outputs
    sdk.getTest({ testId: gateway.testId }),
  ];
}
