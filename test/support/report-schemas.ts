/** Checks reports for machines: SARIF against its JSON schema, JUnit against the XML schema of Jenkins. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";

const folder = join(__dirname, "../fixtures/reports");
const text = (file: string): string => readFileSync(join(folder, file), "utf8");

const { $schema: _draft4, id: _id, ...schema } = JSON.parse(text("sarif-schema-2.1.0.json")) as Record<string, unknown>;
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

/** What is wrong with a log of SARIF. */
export function sarifFaults(log: string): string[] {
  validate(JSON.parse(log));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
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

/** Parses the XML that the schema and our reports consist of. @throws Error if it is not well-formed */
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

const elements = new Map(
  parseXml(text("junit-10.xsd"))
    .children.filter(({ name }) => name === "xs:element")
    .map((element) => [element.attributes["name"] ?? "", element]),
);

const within = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...within(child, name)]);

/** What is wrong with a report of JUnit: elements, their children and their attributes, as the schema declares them. */
export function junitFaults(report: string): string[] {
  const visit = (element: Element): string[] => {
    const declared = elements.get(element.name);
    if (!declared) return [`there is no element ${element.name}`];
    const attributes = within(declared, "xs:attribute").map((one) => one.attributes);
    const known = new Set(attributes.map(({ name }) => name));
    const children = new Set(within(declared, "xs:element").map((one) => one.attributes["ref"]));
    const isMixed = declared.attributes["type"] === "xs:string" || within(declared, "xs:complexType")[0]?.attributes["mixed"];
    return [
      ...Object.keys(element.attributes).flatMap((name) => (known.has(name) ? [] : [`${element.name} has no ${name}`])),
      ...attributes.flatMap(({ name = "", use }) =>
        use === "required" && !(name in element.attributes) ? [`${element.name} needs ${name}`] : [],
      ),
      ...element.children.flatMap(({ name }) => (children.has(name) ? [] : [`${element.name} holds no ${name}`])),
      ...(!isMixed && element.text.trim() !== "" ? [`${element.name} holds no text`] : []),
      ...element.children.flatMap(visit),
    ];
  };
  const root = parseXml(report);
  return [...(root.name === "testsuites" ? [] : [`the root is ${root.name}`]), ...visit(root)];
}
