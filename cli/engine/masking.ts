import { UsageError } from "../command";
import type { ProjectStack } from "./stack";
import { secretMask } from "./state";

/** Characters of a secret: a shorter one would blank out ordinary words. The engine hides its own from the same length on. */
const minSecretLength = 3;
/** Characters of a secret that is hidden inside of words, too. */
const minLengthInsideWords = 8;

/**
 * Returns a function that masks the secrets of the environment and of the stack's configuration, as text, JSON and URLs write them: a
 * program may write them into an error of its own, and reports are published.
 */
export async function maskOf(stack: ProjectStack): Promise<(text: string) => string> {
  const known = [...secretsIn(stack.project.io.env), ...(await configuredSecrets(stack))].filter(
    (secret) => secret.length >= minSecretLength,
  );
  const spelled = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first: one may be a part of another.
  const all = [...new Set(spelled)].toSorted((a, b) => b.length - a.length).map(patternOf);
  return (text) => all.reduce((shown, pattern) => shown.replace(pattern, secretMask), text);
}

function secretsIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    /(TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|_KEY)$/i.test(name) ? [value] : [],
  );
}

/** Returns no secrets if the configuration cannot be read: then the engine could not open them either. */
async function configuredSecrets(stack: ProjectStack): Promise<string[]> {
  try {
    const values = Object.values(await stack.wholeConfiguration());
    return values.flatMap(({ value, secret }) => (secret === true && value !== undefined ? [value] : []));
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** A short secret counts as a whole word only: it may be a part of any other. */
function patternOf(secret: string): RegExp {
  const text = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(secret.length < minLengthInsideWords ? `(?<!\\w)${text}(?!\\w)` : text, "g");
}
