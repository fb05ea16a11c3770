import type ts from "typescript";
import { endpointAgentTag } from "../../provider/resources/endpoint-agent-tag";
import { withoutTypes, type Declaration } from "../edit/declarations";
import type { ProgramSource } from "../edit/program";
import { Refusal } from "../edit/value";
import { lineEndOf, styleOf } from "../edit/style";
import type { TagNaming } from "./template";

/** Options of a resource that are of the label alone. */
const ownOptions = new Set(["aliases", "import", "id"]);

/**
 * The arguments of the tag of a label: its name in the program, key and value instead of the label's name, everything else as the
 * label has it. What is left to its default there is left to it here: the default colors of labels and tags differ.
 *
 * @throws Refusal where the arguments are no object literal with a name
 */
export function tagArguments({ ts: compiler }: ProgramSource, { node }: Declaration, naming: TagNaming): string {
  const [name, argument, options] = node.arguments ?? [];
  const args = argument && withoutTypes(compiler, argument);
  if (!name || !argument || !args) throw new Refusal("is declared without arguments", node);
  if (!compiler.isObjectLiteralExpression(args)) throw new Refusal("has arguments that are no object literal", args);
  const members = args.properties.flatMap((member) => {
    const text = memberText(compiler, args, member, naming);
    return text === undefined ? [] : [{ member, text }];
  });
  if (!args.properties.some((member) => isNamed(member, "name"))) {
    throw new Refusal("has a name that is not written in its arguments", args);
  }
  const copied = spliced(args, members);
  const rest = options && optionsText(compiler, options);
  return [name.getText(), copied, ...(rest === undefined ? [] : [rest])].join(", ");
}

/** @returns nothing for a member that a tag does not have */
function memberText(
  compiler: ProgramSource["ts"],
  args: ts.ObjectLiteralExpression,
  member: ts.ObjectLiteralElementLike,
  naming: TagNaming,
): string | undefined {
  if (compiler.isSpreadAssignment(member)) return member.getText();
  const isPlain = compiler.isPropertyAssignment(member) || compiler.isShorthandPropertyAssignment(member);
  if (!isPlain || compiler.isComputedPropertyName(member.name))
    throw new Refusal("has arguments with a key in brackets", member);
  if (isNamed(member, "name")) return keyAndValue(compiler, args, member, naming);
  if (Object.hasOwn(endpointAgentTag.schema.shape, member.name.text)) return member.getText();
  throw new Refusal(`has ${member.name.text}, which tags do not have`, member);
}

function keyAndValue(
  compiler: ProgramSource["ts"],
  args: ts.ObjectLiteralExpression,
  member: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
  { key, value }: TagNaming,
): string {
  const initializer = compiler.isPropertyAssignment(member) ? member.initializer : member.name;
  const bare = withoutTypes(compiler, initializer);
  const plain = compiler.isStringLiteralLike(bare) ? bare.text : undefined;
  const file = args.getSourceFile();
  const { quote } = styleOf(compiler, file);
  const said = (template: TagNaming["key"]): string => template.expression(initializer.getText(), plain, quote);
  return [`key: ${said(key)}`, `value: ${said(value)}`].join(`,${separatorIn(args)}`);
}

/** White space between two members, as the object has it. */
function separatorIn(args: ts.ObjectLiteralExpression): string {
  const { text } = args.getSourceFile();
  const [first] = args.properties;
  const before = first ? text.slice(args.getStart() + 1, first.getStart()) : "";
  const indent = /\n([ \t]*)[^\n]*$/.exec(before)?.[1];
  return indent === undefined ? " " : lineEndOf(text) + indent;
}

/** The text of an object literal with other members in the places of its own. */
function spliced(args: ts.ObjectLiteralExpression, members: readonly { member: ts.Node; text: string }[]): string {
  const { text } = args.getSourceFile();
  let [copy, at] = ["", args.getStart()];
  for (const { member, text: as } of members) {
    copy += text.slice(at, member.getStart()) + as;
    at = member.end;
  }
  return copy + text.slice(at, args.end);
}

/** The options of the resource without those that are of the label alone; nothing where none is left. */
function optionsText(compiler: ProgramSource["ts"], options: ts.Expression): string | undefined {
  const node = withoutTypes(compiler, options);
  if (!compiler.isObjectLiteralExpression(node)) return options.getText();
  const kept = node.properties.filter((member) => ![...ownOptions].some((one) => isNamed(member, one)));
  if (kept.length === node.properties.length) return options.getText();
  return kept.length === 0 ? undefined : `{ ${kept.map((member) => member.getText()).join(", ")} }`;
}

function isNamed(member: ts.ObjectLiteralElementLike, name: string): boolean {
  return member.name !== undefined && "text" in member.name && member.name.text === name;
}

/** Name of the variable that holds the tag of a label: `officeTag` for `office`, `tag` for `label`. */
export function tagVariable(label: string, isFree: (name: string) => boolean): string {
  for (const candidate of tagVariables(label)) if (isFree(candidate)) return candidate;
  for (let i = 2; ; i += 1) if (isFree(`${label}Tag_${i}`)) return `${label}Tag_${i}`;
}

/** The names that such a variable may have, the best first. */
export function tagVariables(label: string): string[] {
  const plain = `${label}Tag`;
  const [, start, word, plural] = /^(.*?)(label|Label)(s?)$/.exec(label) ?? [];
  if (start === undefined) return [plain];
  return [`${start}${word === "label" ? "tag" : "Tag"}${plural}`, plain];
}
