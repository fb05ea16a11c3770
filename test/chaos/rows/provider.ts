/** The provider as its host calls it, for rows: nothing is left out but the engine. */
import { createHost, type DynamicProvider } from "../../../provider/dynamic";
import { type KindName, registry } from "../../../provider/registry";
import { messageProblems, textOf } from "../../support/fuzz";

/** A provider of one kind, in a process of its own as far as it can tell. @param printed gets what it prints */
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

/** What came of a call: its answer, or what the engine prints of its failure. */
export type Called<T> = { answer: T } | { message: string; problems: string[] };

/** Calls the provider. A failure that has a stack is one of the code, not one that a user is told. */
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
