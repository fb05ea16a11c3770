import * as pulumi from "@pulumi/pulumi";

/** Settings that a test has put into the environment. */
const names: string[] = [];

/** Puts settings into the environment, in the place of those before; a token unless they say otherwise. */
export function settle(settings: Record<string, string>): void {
  for (const name of names.splice(0)) delete process.env[name];
  for (const [key, value] of Object.entries({ token: "given-token", ...settings })) {
    const name = `ENDPOINT_MONITORING_${key.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;
    process.env[name] = value;
    names.push(name);
  }
}

/** What an output holds in the end, and whether it is secret. */
export async function resolved<T>(output: pulumi.Output<T> | undefined): Promise<{ value: unknown; secret: boolean }> {
  const value = await new Promise<unknown>((resolve) => pulumi.output(output).apply(resolve));
  return { value, secret: output !== undefined && (await pulumi.isSecret(output)) };
}
