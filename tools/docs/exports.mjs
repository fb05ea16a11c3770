/** A page for each module of the package that a program imports by a name of its own: what it exports, with members and parameters. */
import ts from "typescript";

/** Modules that have a page, with what stands above the list. Classes and functions of the main module have pages of their own. */
const modules = {
  api: {
    source: "api/public.ts",
    title: "The client",
    about: `Call every operation of the ThousandEyes endpoint API from a script or test, with a typed client. It needs no Pulumi. \`client.AREA.OPERATION(request)\` takes
\`{ path, query, body, signal }\`, sends one request, and returns the parsed answer; \`signal\` ends the call. Types of requests and answers are
in [records](records.md).
[Errors](errors.md) lists what it throws.`,
  },
  emulator: {
    source: "emulator/index.ts",
    title: "The emulator in a test",
    about: `Start an emulator of the ThousandEyes API in the process of a test. \`npx endpoint-monitoring emulator\` starts the same as a process
([commands](commands.md#emulator)). [Test a program](testing.md) shows its use, and [differences](../emulator/DIFFERENCES.md) lists what it
assumes.`,
  },
  policy: {
    source: "policy/index.ts",
    title: "Policies",
    about: `Enforce the rules of \`endpoint-monitoring review --fail-on\` in each preview, with a Pulumi policy pack
([an example](../examples/policy-pack/README.md)). Pulumi's own typed helpers (\`validateResourceOfType\`, \`remediateResourceOfType\`, \`isType\`,
\`asType\`) take every class of this package; a class of \`pulumi-endpoint-monitoring\` also finds resources of the native front.`,
  },
};

/** Sources of the modules, for the compiler. */
export const exportedSources = Object.values(modules).map(({ source }) => source);

/**
 * @param {object} of
 * @param {ts.Program} of.program with the sources
 * @param {(path: string) => string} of.at full path of a source
 * @param {(head: string[], rows: string[][]) => string} of.table
 * @param {string} of.generated first line of a page
 * @returns {Record<string, string>} pages by name
 */
export function exportPages({ program, at, table, generated }) {
  const checker = program.getTypeChecker();
  const textOf = (symbol) =>
    ts
      .displayPartsToString(symbol.getDocumentationComment(checker))
      .trim()
      .replaceAll(/\{@link (\w+) ?\}/g, "`$1`");
  const defaultOf = (symbol) => {
    const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "defaultValue");
    return tag ? ` Default: ${ts.displayPartsToString(tag.text).trim()}.` : "";
  };
  const exampleOf = (symbol) => {
    const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "example");
    if (!tag) return "";
    const text = ts.displayPartsToString(tag.text).trim();
    return `\n\n${text.startsWith("```") ? text : `\`\`\`ts\n${text}\n\`\`\``}`;
  };
  const isOptional = ({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0;
  // Internal members have no documentation.
  const membersOf = (type) =>
    checker
      .getPropertiesOfType(type)
      .filter(
        (member) =>
          textOf(member) !== "" && !member.declarations?.some((one) => /\/node_modules\//.test(one.getSourceFile().fileName)),
      );
  const typeText = (symbol) =>
    checker.typeToString(
      checker.getNonNullableType(checker.getTypeOfSymbol(symbol)),
      undefined,
      ts.TypeFormatFlags.NoTruncation,
    );

  function section(symbol) {
    const { flags } = symbol;
    const signatures = flags & ts.SymbolFlags.Function ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
    const calls = signatures.map(
      (signature) => `\`${symbol.name}${checker.signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation)}\``,
    );
    const declared =
      flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class) ? membersOf(checker.getDeclaredTypeOfSymbol(symbol)) : [];
    const rows = declared.map((member) => [
      `\`${member.name}\`${isOptional(member) ? "" : " *"}`,
      `\`${typeText(member)}\``,
      `${textOf(member)}${defaultOf(member)}`.replaceAll("\n", " "),
    ]);
    const alias =
      flags & ts.SymbolFlags.TypeAlias
        ? [
            `\`${checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias)}\``,
          ]
        : [];
    return [
      `## ${symbol.name}`,
      textOf(symbol) + exampleOf(symbol),
      ...calls,
      ...alias,
      ...(rows.length > 0 ? [table(["Member", "Type", "Meaning"], rows)] : []),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  }

  return Object.fromEntries(
    Object.entries(modules).map(([name, { source, title, about }]) => {
      const file = program.getSourceFile(at(source));
      const exported = checker
        .getExportsOfModule(checker.getSymbolAtLocation(file))
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
      // The records, and the errors, have pages.
      const own = exported.filter(
        (symbol) => !symbol.declarations?.some((one) => /\/api\/(types\/|errors)/.test(one.getSourceFile().fileName)),
      );
      return [
        `${name}.md`,
        `${generated}\n\n# ${title}\n\n${about}\n\nImport it from \`pulumi-endpoint-monitoring/${name}\`. Members marked with * are always there.\n\n${own.map(section).join("\n\n")}\n`,
      ];
    }),
  );
}
