import { compare, describeKept, describeKeptDiscreetly, type Change } from "../../provider/compare";
import { check } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { isSame } from "../../provider/shape";
import type { Properties } from "../../provider/values";

const kinds = {
  label: { name: "Office", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }], color: "#123456" },
  httpServerTest: { testName: "Portal", url: "https://www.example.com", interval: 300, maxMachines: 5 },
} as const;

const cases: [kind: keyof typeof kinds, property: string, returned: unknown, expected: RegExp][] = [
  [
    "label",
    "color",
    "#654321",
    /^color: sent "#123456", but the service returned "#654321"\. If the service always returns this value, declare color: "#654321"$/,
  ],
  ["label", "color", "no color", /Set the program's value in the service, or replace the record/],
  ["httpServerTest", "interval", 600, /declare interval: 600$/],
  [
    "httpServerTest",
    "interval",
    undefined,
    /the service returned nothing\. If the service never returns this property, omit it from the program$/,
  ],
];

function changeOf(kind: Kind, inputs: Properties, property: string, returned: unknown): Change {
  const change = compare(kind, { ...inputs, [property]: returned }, inputs).find((entry) => entry.property === property);
  if (!change) throw new Error(`no change of ${property}`);
  return change;
}

test.each(cases)(
  "a warning about a %s recommends a remedy for the property %s with the returned value %p",
  (name, property, returned, expected) => {
    const kind: Kind = registry[name];
    const { inputs } = check(kind, kinds[name]);
    expect(describeKept(kind, changeOf(kind, inputs, property, returned), inputs, false)).toMatch(expected);
  },
);

const declarable = cases.filter(([, , returned, expected]) => returned !== undefined && expected.source.includes("declare"));
test.each(declarable)(
  "a warning about a %s with a changed %s suggests declaring the returned value %p",
  (name, property, returned) => {
    const kind: Kind = registry[name];
    const { inputs } = check(kind, kinds[name]);
    const text = describeKept(kind, changeOf(kind, inputs, property, returned), inputs, false);
    const declared: unknown = JSON.parse(/declare \w+: (.*)$/.exec(text)?.[1] ?? "");
    const remedied = check(kind, { ...kinds[name], [property]: declared });
    expect(remedied.failures).toEqual([]);
    expect(isSame(kind, property, returned, remedied.inputs[property])).toBe(true);
  },
);

test("a warning about a returned value recommends no edit if the next update accepts the value", () => {
  const kind: Kind = registry.label;
  const { inputs } = check(kind, kinds.label);
  const change = changeOf(kind, inputs, "color", "#654321");
  expect(describeKept(kind, change, inputs, true)).toContain(
    "The next update accepts this value and does not change the record",
  );
  expect(describeKeptDiscreetly(change)).not.toMatch(/123456|654321/);
});
