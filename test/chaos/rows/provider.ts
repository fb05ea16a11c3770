/** The provider as its host calls it, for rows, without the engine. */
import { createHost, type DynamicProvider } from "../../../provider/dynamic";
import { type KindName, registry } from "../../../provider/registry";
import { messageProblems, textOf } from "../../support/fuzz";

/** Returns a provider of one resource type, which acts as its own process. @param printed receives its output */
export function providerOf(
  kind: KindName,
  baseUrl: string,
  { discreet = false, token = "emulator-token", printed = [] as string[] } = {},
): DynamicProvider {
  const settings: Record<string, string> = { baseUrl, token };
  const made = createHost((line) => printed.push(line)).provider(registry[kind]);
  const provider = discreet ? made.discreet : made;
  provider.configure({ config: { get: (key) => settings[key.replace("endpoint-monitoring:", "")] } });
  return provider;
}

/** Result of a call: its response, or the engine's output for its failure. */
export type Called<T> = { answer: T } | { message: string; problems: string[] };

/** Calls the provider. A failure with a stack trace is a bug, not a message for users. */
export async function called<T>(work: () => Promise<T>, secret: string): Promise<Called<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    const { message = "", stack, reasons = [] } = error as { message?: string; stack?: string; reasons?: string[] };
    if (stack !== "") return { message, problems: [`a bug: ${textOf(error)}`] };
    return { message, problems: [message, ...reasons].flatMap((text) => messageProblems(text, secret)) };
  }
}

export function problemsOf(outcome: Called<unknown>): string[] {
  return "problems" in outcome ? outcome.problems : [];
}
