import type { Kind } from "../../provider/kind";
import { shellWord } from "../report/text";
import { secretMask } from "../engine/state";
import type { AcceptedChange, AcceptedResource } from "./accepted";
import { literal } from "./literal";

const longest = 200;

/** Returns a new value as people write it, such as a URL without the port that the service adds. */
export function asWritten(kind: Kind, { property, after }: AcceptedChange): unknown {
  return kind.properties[property]?.normalize?.(after) ?? after;
}

/**
 * Advises how to set a property by hand. The advice holds no secret.
 *
 * @param configurationKey key of the stack's configuration that holds the value
 */
export function adviceFor(resource: AcceptedResource, change: AcceptedChange, configurationKey?: string): string {
  const { stack, secrets, kind } = resource;
  const { property, how, secret } = change;
  const after = asWritten(kind, change);
  const isSecret = secret === true || secrets.has(property) || JSON.stringify(after ?? null).includes(secretMask);
  if (configurationKey !== undefined) return configAdvice(configurationKey, stack, isSecret ? undefined : after, isSecret);
  if (isSecret) return `set ${property} by hand: it is a secret, and not shown`;
  if (how === "removed" || after === undefined || after === null) return `leave ${property} out by hand`;
  const text = literal(after);
  return text.length > longest ? `write ${property} by hand` : `write ${property}: ${text} by hand`;
}

/** Advice where stacks differ: the program reads the value from the stack's configuration, and falls back on what it has now. */
export function stackAdvice(resource: AcceptedResource, change: AcceptedChange): string {
  const { name, inputs, stack, kind } = resource;
  const { property, how } = change;
  const after = asWritten(kind, change);
  const key = `${name}-${property}`.replace(/[^\w.-]+/g, "-");
  const now = inputs[property];
  const isRemoved = how === "removed" || after === undefined || after === null;
  // Text is not JSON in a configuration. Everything else is, and takes the type of the property.
  const getter = typeof (now ?? after) === "string" ? "get" : "getObject";
  const read = `new pulumi.Config().${getter}(${literal(key)})${now === undefined ? "" : ` ?? ${literal(now)}`}`;
  if (isRemoved || read.length > longest || literal(after).length > longest) {
    return `have ${property} differ by stack, such as with pulumi.getStack()`;
  }
  return `write ${property}: ${read}, which changes no other stack, and ${configAdvice(key, stack, after, false)}`;
}

function configAdvice(key: string, stack: string, value: unknown, isSecret: boolean): string {
  const flags = ["--stack", stack, ...(isSecret ? ["--secret"] : [])];
  if (isSecret)
    return `run \`${["pulumi", "config", "set", ...flags, key].map(shellWord).join(" ")}\`, which asks for the value`;
  if (value === undefined || value === null)
    return `run \`${["pulumi", "config", "rm", ...flags, key].map(shellWord).join(" ")}\``;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // The engine would read a value with a dash at its beginning as an option.
  const words = text.startsWith("-") ? [...flags, "--", key, text] : [...flags, key, text];
  return `run \`${["pulumi", "config", "set", ...words].map(shellWord).join(" ")}\``;
}
