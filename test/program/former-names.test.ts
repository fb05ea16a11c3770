import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formerNameIn } from "../../program/former-names";
import { temporary } from "../support/temporary";

const folder = temporary();

/** Returns the expression for the former names of labels that a program declares with a name expression. */
function formerName(expression: string, names: readonly (readonly [before: string, after: string])[]) {
  writeFileSync(join(folder, "index.ts"), `for (const site of sites) new Label(${expression}, {});\n`);
  const position = { file: "index.ts", line: 1, column: 27 };
  return formerNameIn({ position, names: names.map(([before, after]) => ({ before, after })) }, folder);
}

test.each([
  ["a template that starts with the changed word", "`people-${site}`", "people-oslo", "hr-oslo", "`hr-${site}`"],
  [
    "a template with the changed word in the middle",
    "`${a}-people-${site}`",
    "x-people-oslo",
    "x-hr-oslo",
    "`${a}-hr-${site}`",
  ],
  ["a template that ends with the changed word", "`${site}-people`", "oslo-people", "oslo-hr", "`${site}-hr`"],
  ["a literal in a sum", 'site + "-people"', "oslo-people", "oslo-hr", 'site + "-hr"'],
  ["a variable", "site", "people-oslo", "hr-oslo", 'site.replace("people", "hr")'],
  ["an expression", "a + site", "people-oslo", "hr-oslo", '(a + site).replace("people", "hr")'],
  [
    "a template with the changed word twice",
    "`people-${site}-people`",
    "people-oslo-people",
    "hr-oslo-people",
    '`people-${site}-people`.replace("people", "hr")',
  ],
])("the alias for a renamed resource is an edited copy of %s", async (_, expression, after, before, expected) => {
  expect(await formerName(expression, [[before, after]])).toBe(expected);
});

test("the review suggests no alias expression for names that changed in different ways", async () => {
  expect(
    await formerName("`people-${site}`", [
      ["hr-oslo", "people-oslo"],
      ["it-rome", "people-rome"],
    ]),
  ).toBeUndefined();
});
