import type ts from "typescript";
import type { Document, LineCounter, Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { quoted } from "./literal";
import type { TypeScript } from "./typescript";

type YamlPath = readonly (string | number)[];
export type Members = YAMLMap<Scalar, Node | null>;
export type YamlItems = YAMLSeq<Node | null>;

interface YamlPart {
  node: Scalar | Members | YamlItems;
  path: YamlPath;
}

/** The text of a YAML file, with the positions of its values. The TypeScript compiler reads equivalent JSON instead of the YAML text. */
interface YamlContent {
  text: string;
  parts: ReadonlyMap<number, YamlPart>;
}

export const yamlContents = new WeakMap<ts.SourceFile, YamlContent>();

/** Matches plain scalars that different YAML parsers interpret differently, such as `2026-01-31` and `0o17`. */
const doubtful = /^[-+.]*\d[\d_]*([\d_.-]*:[\d_:.]*|_[\d_.]*|-\d\d?-\d.*|[box][\da-f_]*|\.?\d*e.*|\d+)$|^[-+]?\.(inf|nan)$/i;
const number = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * Converts a YAML file to equivalent JSON and parses the JSON. Each value keeps its original line number.
 *
 * In the JSON, a function call replaces each value that cannot be edited. The function's name contains the reason for the refusal.
 *
 * @returns undefined if the file is invalid, has several documents, or declares a YAML version
 */
export function parseYaml(compiler: TypeScript, path: string, text: string): ts.SourceFile | undefined {
  const { LineCounter: Counter, isMap, isScalar, isSeq } = yaml();
  const lines = new Counter();
  const document = readYaml(text, lines);
  try {
    // `toJS` throws an error for an undefined alias and for too many aliases.
    document.toJS();
  } catch {
    return undefined;
  }
  if (document.errors.length > 0 || document.directives?.yaml.explicit === true) return undefined;
  const parts = new Map<number, YamlPart>();
  let out = "";
  const goTo = (node: Node | null): void => {
    const line = node?.range ? lines.linePos(node.range[0]).line : 0;
    out += "\n".repeat(Math.max(0, line - out.split("\n").length));
  };
  const member = (key: string, write: () => void): void => {
    out += `${quoted(key)}: `;
    write();
    out += ",";
  };
  const refuse = (why: string, at: YamlPath, value?: unknown): void => {
    const place = at.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    out += `${quoted(`${why} (${place.replace(/^\./, "")})`)}(${JSON.stringify(value) ?? ""})`;
  };
  const write = (node: Node | null, at: YamlPath): void => {
    goTo(node);
    const why = obstacleIn(node);
    if (why !== undefined) return refuse(why, at, why === inDoubt ? undefined : (node?.toJS(document) ?? null));
    parts.set(out.length, { node: node as YamlPart["node"], path: at });
    if (isScalar(node)) out += JSON.stringify(node.value);
    if (isSeq<Node | null>(node)) {
      out += "[";
      for (const [i, item] of node.items.entries()) {
        write(item, [...at, i]);
        out += ",";
      }
      out += "]";
    }
    if (isMap<Scalar, Node | null>(node)) {
      out += "{";
      const members = node.items.filter(({ key }) => key.source !== "<<");
      const names = new Set(members.map(({ key }) => String(key.value)));
      const merged = members.length < node.items.length ? Object.keys(node.toJS(document) as object) : [];
      for (const name of merged) {
        if (!names.has(name)) member(name, () => refuse("is merged from an anchor", [...at, name]));
      }
      for (const { key, value } of members) {
        goTo(key);
        member(String(key.value), () => write(value, [...at, String(key.value)]));
      }
      out += "}";
    }
  };
  write(document.contents, []);
  const file = compiler.createSourceFile(path, out, compiler.ScriptTarget.Latest, true, compiler.ScriptKind.JSON);
  yamlContents.set(file, { text, parts });
  return file;
}

const inDoubt = "is a value that YAML parsers read differently";

function obstacleIn(node: Node | null): string | undefined {
  const { isAlias, isMap, isScalar } = yaml();
  if (!node) return "has no text";
  if (isAlias(node)) return "is an alias";
  const { anchor, tag } = node as Scalar;
  if (anchor !== undefined) return "has an anchor";
  if (tag !== undefined) return "has a tag";
  if (isMap(node)) return node.items.every(({ key }) => isScalar(key)) ? undefined : "has a key that is not text";
  if (!isScalar(node)) return undefined;
  const { type, source = "" } = node;
  if (type?.startsWith("BLOCK") === true) return "is a block of text";
  if (type === "PLAIN" && source === "") return "has no text";
  return type === "PLAIN" && doubtful.test(source) && !number.test(source) ? inDoubt : undefined;
}

/** Whether a file is YAML. The TypeScript compiler reads such a file as equivalent JSON. */
export function isYaml(file: ts.SourceFile): boolean {
  return yamlContents.has(file);
}

export function readYaml(text: string, lineCounter?: LineCounter): Document {
  return yaml().parseDocument(text, { merge: true, ...(lineCounter && { lineCounter }) });
}

/** Most programs do not use YAML, so the parser is loaded on demand. */
export function yaml(): typeof import("yaml") {
  return require("yaml") as typeof import("yaml");
}
