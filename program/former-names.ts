import { readFileSync } from "node:fs";
import { join } from "node:path";
import type ts from "typescript";
import type { Position } from "../common/position";
import { changedTokens } from "../common/token-change";
import { callAt } from "./property-positions";
import { loadTypeScript, nodesIn, parse, type TypeScript } from "./typescript";

/** A call that declares resources, with the names of these resources before and after a rename. */
export interface RenamedNames {
  readonly position: Position;
  readonly names: readonly { readonly before: string; readonly after: string }[];
}

/**
 * Returns the expression for the former names of resources that a loop declares.
 *
 * For example, the result for the name `` `people-${site}` `` may be `` `hr-${site}` ``. All names must change in the same
 * part and in the same way.
 *
 * @param folder folder of the project
 */
export async function formerNameIn({ position, names }: RenamedNames, folder: string): Promise<string | undefined> {
  const changes = names.map(({ before, after }) => changedTokens(before, after));
  const [change] = changes;
  if (
    !change ||
    change.after === "" ||
    changes.some((candidate) => candidate?.before !== change.before || candidate.after !== change.after)
  ) {
    return undefined;
  }
  const compiler = await loadTypeScript(folder).catch(() => undefined);
  const argument = compiler && nameArgument(compiler, position, folder);
  return argument && oldName(compiler, argument, change);
}

function nameArgument(compiler: TypeScript, position: Position, folder: string): ts.Expression | undefined {
  const path = join(folder, position.file);
  try {
    const source = parse(compiler, path, readFileSync(path, "utf8"));
    return callAt(compiler, source, position)?.arguments?.[0];
  } catch {
    // A preview from another machine may contain the path of another program's file.
    return undefined;
  }
}

/** Returns the TypeScript expression for the old name: an edited literal, or a call of `replace`. */
function oldName(compiler: TypeScript, argument: ts.Expression, { before, after }: { before: string; after: string }): string {
  const text = argument.getText();
  const escaped = after.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "u");
  const parts = nodesIn(compiler, argument).filter(
    (node) =>
      (compiler.isStringLiteralLike(node) || compiler.isTemplateHead(node) || isTemplateEnd(compiler, node)) &&
      pattern.test(node.text),
  );
  const [part] = parts;
  if (part && parts.length === 1) {
    const [start, end] = [part.getStart() - argument.getStart(), part.getEnd() - argument.getStart()];
    return `${text.slice(0, start)}${text.slice(start, end).replace(pattern, () => before)}${text.slice(end)}`;
  }
  const isSimple = compiler.isLeftHandSideExpression(argument);
  return `${isSimple ? text : `(${text})`}.replace(${JSON.stringify(after)}, ${JSON.stringify(before)})`;
}

function isTemplateEnd(compiler: TypeScript, node: ts.Node): node is ts.TemplateMiddle | ts.TemplateTail {
  return compiler.isTemplateMiddle(node) || compiler.isTemplateTail(node);
}
