/** Returns the first mistake in the arguments that the engine or the SDK would report without naming the property. */
export function wrongCall(args: unknown, opts: unknown): string | undefined {
  if (!isObject(args)) return `the arguments must be an object such as { … }, not ${nameOf(args)}`;
  if (!isObject(opts))
    return `the resource options must be an object such as { protect: true }, not ${nameOf(opts)}. Leave them out for the defaults`;
  // `endpoint-monitoring validate` reports invalid numbers together with all other mistakes.
  return wrongMember(args, "", 0, process.env["ENDPOINT_MONITORING_VALIDATE"] === "true");
}

/** Maximum nesting depth that the check visits, so that the check ends even if an object contains itself. */
const maxDepth = 16;

function wrongMember(value: object, path: string, depth: number, takesNumbers: boolean): string | undefined {
  if (depth > maxDepth) return undefined;
  for (const name of Object.keys(value)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    if (name === "__proto__") return `${place} is not a property. Remove it`;
    const member: unknown = Reflect.get(value, name);
    if (!takesNumbers && typeof member === "number" && !Number.isFinite(member)) {
      return `${place} must be a finite number, not ${member}`;
    }
    const inner = isPlain(member) ? wrongMember(member, place, depth + 1, takesNumbers) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an array or an object literal, not an output, promise or resource. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
