/** The page of the types that functions take and give: each with its members, and those of objects inside it. */
import ts from "typescript";

/**
 * @param {object} of
 * @param {ts.TypeChecker} of.checker compiler of the program
 * @param {ts.Symbol[]} of.exported what the package exports, aliases resolved
 * @param {(symbol: ts.Symbol) => string} of.textOf meaning of a symbol
 * @param {(head: string[], rows: string[][]) => string} of.table
 * @param {string} of.generated first line of a page
 */
export function recordsPage({ checker, exported, textOf, table, generated }) {
  const isRecord = ({ declarations = [] }) => declarations.some((one) => one.getSourceFile().fileName.includes("/api/types/"));
  const records = exported.filter(isRecord).toSorted((a, b) => a.name.localeCompare(b.name));

  /** A type as a user would write it; an object without a name of its own by what is inside it. */
  function typeText(type) {
    const known = checker.getNonNullableType(type);
    if (isUnnamed(known)) return "object";
    const element = elementOf(known);
    if (!element) return checker.typeToString(known, undefined, ts.TypeFormatFlags.NoTruncation);
    return element.isUnion() ? `Array<${typeText(element)}>` : `${typeText(element)}[]`;
  }

  const elementOf = (type) => (checker.isArrayType(type) ? checker.getTypeArguments(type)[0] : undefined);
  const isUnnamed = (type) => type.symbol?.name === "__type" && checker.getPropertiesOfType(type).length > 0;

  function rows(type, path = "") {
    return checker.getPropertiesOfType(type).flatMap((member) => {
      const held = checker.getNonNullableType(checker.getTypeOfSymbol(member));
      const inner = elementOf(held) ?? held;
      const name = path + member.name;
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      const row = [`\`${name}\``, `\`${typeText(held)}\``, isOptional ? "-" : "always", textOf(member).replaceAll("\n", " ")];
      return [row, ...(isUnnamed(inner) ? rows(inner, `${name}${inner === held ? "" : "[]"}.`) : [])];
    });
  }

  const section = (symbol) => `## ${symbol.name}

${textOf(symbol)}

${table(["Member", "Type", "", "Meaning"], rows(checker.getDeclaredTypeOfSymbol(symbol)))}
`;

  return `${generated}

# Records

Look up the arguments and results of [functions](functions.md), member by member. The service promises few of the members: those that it may leave out are optional. It may
also answer members that are not here, and words that are not listed. A \`TestRecord\` is an \`AgentToServerTestRecord\`, an
\`HttpServerTestRecord\` or a \`DynamicTestRecord\`, with the word for its kind in \`kind\`.

"Inferred" is what the interface document of the service does not state, and its samples or names show.

${records.map(section).join("\n")}`;
}
