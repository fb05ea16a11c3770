/**
 * Checks reports for machines: SARIF by the OASIS standard 2.1.0 (sections in comments), JUnit as Jenkins' plugins read it.
 * Both check required members and values, and that the report has no unknown ones.
 */
import { z } from "zod";

const atLeast = (least: number) => z.number().int().min(least);
const uriReference = z.string().regex(/^(?:[\w.~!$&'()*+,;=:@/?#[\]-]|%[\dA-F]{2})+$/i);

const location = z.strictObject({
  // 3.29: a position in a file, by line and column from 1 (3.30).
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({ uri: uriReference }),
    region: z.strictObject({ startLine: atLeast(1), startColumn: atLeast(1).optional() }),
  }),
});
const result = z.strictObject({
  ruleId: z.string().min(1),
  // 3.27.6: the index of the rule in the driver's list.
  ruleIndex: atLeast(0),
  level: z.enum(["none", "note", "warning", "error"]),
  message: z.strictObject({ text: z.string().min(1) }),
  locations: z.array(location).min(1),
});
const rule = z.strictObject({ id: z.string().min(1) });
const run = z
  .strictObject({
    // 3.19: a driver has a name. Ids of rules are unique (3.19.23).
    tool: z.strictObject({ driver: z.strictObject({ name: z.string().min(1), version: z.string(), rules: z.array(rule) }) }),
    results: z.array(result),
  })
  .refine(
    ({ tool, results }) => results.every(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId),
    "ruleIndex",
  )
  .refine(({ tool }) => new Set(tool.driver.rules.map(({ id }) => id)).size === tool.driver.rules.length, "rules");
const sarif = z.strictObject({ $schema: z.url(), version: z.literal("2.1.0"), runs: z.array(run).length(1) });

/** Returns the faults of a SARIF log. */
export function sarifFaults(log: string): string[] {
  const { error } = sarif.safeParse(JSON.parse(log));
  return error?.issues.map(({ path, message }) => `${path.join("/")} ${message}`) ?? [];
}

/** An element of XML. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const unescaped = (value: string): string => value.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? "");

/** Parses the XML of our reports. @throws Error if it is not well-formed */
export function parseXml(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const body = xml.replace(/^<\?xml[^>]*\?>/, "").replace(/<!--[^]*?-->/g, "");
  const tokens = /<(\/?)([\w:-]+)((?:\s+[\w:-]+\s*=\s*"[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  while (tokens.lastIndex < body.length) {
    const at = tokens.lastIndex;
    const [, closes, name = "", attributes = "", empty, characters] = tokens.exec(body) ?? [undefined, undefined];
    const top = open.at(-1);
    if (tokens.lastIndex === 0 || !top) throw new Error(`not well-formed at ${at}: ${body.slice(at, at + 60)}`);
    if (characters !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot);)/.test(characters)) throw new Error(`a bare & in ${characters}`);
      top.text += unescaped(characters);
    } else if (closes) {
      if (open.pop()?.name !== name) throw new Error(`${name} closes another element`);
    } else {
      const pairs = [...attributes.matchAll(/([\w:-]+)\s*=\s*"([^"]*)"/g)];
      const element: Element = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, unescaped(value)])),
        children: [],
        text: "",
      };
      top.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [only, ...others] = root.children;
  if (!only || others.length > 0 || open.length !== 1) throw new Error("not one element");
  return only;
}

/** The elements of JUnit that Jenkins reads: their attributes, required attributes and contents. */
const elements: Record<string, { required?: string[]; optional?: string[]; children?: string[]; isText?: boolean }> = {
  testsuites: { optional: ["name", "time", "tests", "failures", "errors", "disabled"], children: ["testsuite"] },
  testsuite: {
    required: ["name", "tests"],
    optional: ["failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "disabled"],
    children: ["properties", "testcase", "system-out", "system-err"],
  },
  testcase: {
    required: ["name"],
    optional: ["classname", "assertions", "time", "status"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  failure: { optional: ["type", "message"], isText: true },
  skipped: { optional: ["type", "message"], isText: true },
};

/** Returns the faults of a JUnit report: unknown elements, children and attributes. */
export function junitFaults(report: string): string[] {
  const visit = (element: Element): string[] => {
    const declared = elements[element.name];
    if (!declared) return [`there is no element ${element.name}`];
    const { required = [], optional = [], children = [], isText = false } = declared;
    const known = new Set([...required, ...optional]);
    return [
      ...Object.keys(element.attributes).flatMap((name) => (known.has(name) ? [] : [`${element.name} has no ${name}`])),
      ...required.flatMap((name) => (name in element.attributes ? [] : [`${element.name} needs ${name}`])),
      ...element.children.flatMap(({ name }) => (children.includes(name) ? [] : [`${element.name} holds no ${name}`])),
      ...(!isText && element.text.trim() !== "" ? [`${element.name} holds no text`] : []),
      ...element.children.flatMap(visit),
    ];
  };
  const root = parseXml(report);
  return [...(root.name === "testsuites" ? [] : [`the root is ${root.name}`]), ...visit(root)];
}
