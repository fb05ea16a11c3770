import type { Kind } from "../provider/kind";
import { shellWord } from "../common/text";
import { secretMask } from "../common/text";
import type { AcceptedChange, AcceptedResource } from "./acceptance";
import { literal } from "./literal";
import type { Refusal } from "./value";

const maxCodeLength = 200;

/** Returns a new value as a program would declare it, for example a URL without the port that the service adds. */
export function asWritten(kind: Kind, { property, how, after }: AcceptedChange): unknown {
  return how === "removed" || after === null ? undefined : (kind.properties[property]?.normalize?.(after) ?? after);
}

/** Returns advice on how to set a property by hand. Advice never contains a secret. */
export function adviceFor(resource: AcceptedResource, change: AcceptedChange, refused: Refusal | undefined): string {
  const { stack, secrets, kind } = resource;
  const { property, secret } = change;
  const { remedy } = refused ?? {};
  if (remedy === "by stack") return stackAdvice(resource, change);
  const after = asWritten(kind, change);
  const isSecret = secret === true || secrets.has(property) || JSON.stringify(after ?? null).includes(secretMask);
  if (remedy && "key" in remedy) return configAdvice(remedy.key, stack, after, isSecret);
  if (isSecret) return `set ${property} by hand: it is a secret, so it is not shown`;
  if (after === undefined) return `remove ${property} by hand`;
  const text = literal(after);
  return text.length > maxCodeLength ? `write ${property} by hand` : `write ${property}: ${text} by hand`;
}

/** Returns the advice to read a value from the stack's configuration, because the value differs between stacks. */
function stackAdvice({ name, inputs, stack, kind }: AcceptedResource, change: AcceptedChange): string {
  const { property } = change;
  const after = asWritten(kind, change);
  const key = `${name}-${property}`.replace(/[^\w.-]+/g, "-");
  const now = inputs[property];
  // A stack's configuration stores strings unchanged and all other values as JSON.
  const getter = typeof (now ?? after) === "string" ? "get" : "getObject";
  const read = `new pulumi.Config().${getter}(${literal(key)})${now === undefined ? "" : ` ?? ${literal(now)}`}`;
  if (after === undefined || read.length > maxCodeLength || literal(after).length > maxCodeLength) {
    return `make ${property} differ by stack, for example with pulumi.getStack()`;
  }
  return `write ${property}: ${read}, which changes no other stack, and ${configAdvice(key, stack, after, false)}`;
}

function configAdvice(key: string, stack: string, value: unknown, isSecret: boolean): string {
  const run = (verb: string, ...words: string[]): string => {
    return `run \`${["pulumi", "config", verb, "--stack", stack, ...words].map(shellWord).join(" ")}\``;
  };
  if (isSecret) return `${run("set", "--secret", key)}, which asks for the value`;
  if (value === undefined) return run("rm", key);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // The Pulumi CLI would parse a value with a leading dash as an option.
  return run("set", ...(text.startsWith("-") ? ["--"] : []), key, text);
}
