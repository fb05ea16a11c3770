import { z } from "zod";
import { operation } from "../../../api/schemas/operation";
import { button, form, membersFor } from "../../../emulator/page/edit";

const change = operation({
  id: "things.update",
  method: "PATCH",
  path: "/v7/things/{id}",
  status: 200,
  body: z.object({
    note: z.string().optional(),
    token: z.string().meta({ sensitive: true }).optional(),
    port: z.int(),
    isOn: z.boolean().optional(),
    size: z.enum(["s", "m"]),
    wait: z.literal([60, 300]).optional(),
    ids: z.array(z.string()).optional(),
    group: z.string().optional(),
    tagIds: z.array(z.string()).optional(),
    filters: z.array(z.object({ key: z.string() })).optional(),
  }),
});
const filters = [
  { key: "hostname", values: ["a", "b"] },
  { key: "Büro", mode: "not-in", scope: "custom", values: ["Köln"] },
];
const now = { note: `"A"`, port: 80, isOn: true, size: "m", wait: 300, ids: ["1", "2"], tagIds: ["t2"], filters, other: "x" };
const tags = ["Tag 1", "<Tag 2>"].map((name, at) => [`t${at + 1}`, name] as const);

test("a form has a field with the current value for each member of the request body, required members first", () => {
  const markup = form("Change", change, { aid: "1001", id: "7", now, choices: { tagIds: tags, group: [] } }).toString();
  const fields = [...markup.matchAll(/<label>([^]*?)<\/label>/g)];
  const input = (name: string, type: string, value: string, as: string) =>
    `${name} <input name="${name}" type="${type}" value="${value}" data-as="${as}" autocomplete="off" spellcheck="false"`;
  expect(fields.map(([, field = ""]) => field.replaceAll(/\s+/g, " ").replaceAll(/ (\/?>)/g, "$1"))).toEqual([
    `${input("port", "number", "80", "integer")} required/>`,
    'size <select name="size" data-as="string"> <option value="s">s</option><option value="m" selected>m</option> </select>',
    `${input("note", "text", "&quot;A&quot;", "string")}/>`,
    `${input("token", "password", "", "string")}/>`,
    'isOn <select name="isOn" data-as="boolean"> <option value=""></option> <option value="true" selected>true</option><option value="false">false</option> </select>',
    'wait <select name="wait" data-as="number"> <option value=""></option> <option value="60">60</option><option value="300" selected>300</option> </select>',
    `${input("ids", "text", "1, 2", "list")}/>`,
    'tagIds <select name="tagIds" data-as="list" multiple size="4"> <option value="t1">Tag 1</option><option value="t2" selected>&lt;Tag 2&gt;</option> </select>',
    'filters <textarea name="filters" rows="3" data-as="filters" placeholder="hostname: emea-*, amer-*" spellcheck="false"> hostname: a, b not custom Büro: Köln</textarea>',
  ]);
});

test("a form without current values has empty fields, but sends constant members", () => {
  const markup = form("New", change, { aid: "1001", next: "/things/*", whole: { type: "a" } }).toString();
  expect(markup).toContain(
    'data-send="PATCH /v7/things/?aid=1001"  data-next="/things/*" data-whole="{&quot;type&quot;:&quot;a&quot;}"',
  );
  expect(markup).not.toMatch(/ value="[^"]+"(?=[^<]*data-as)| selected/);
});

test("a button sends a request with an encoded id, and shows control characters in its body as JSON escapes", () => {
  const sent = { aid: "1002", id: "a/b" };
  const markup = button("Rename", change, sent, { name: "\u0007\u202e\u0085A\u2069\u{1F600}" }).toString();
  expect(markup).toContain('data-send="PATCH /v7/things/a%2Fb?aid=1002" ');
  const [, whole = ""] = /data-whole="([^"]*)"/.exec(markup) ?? [];
  expect(whole.replaceAll("&quot;", '"')).toBe(String.raw`{"name":"\u0007\u202e\u0085A\u2069` + '\u{1F600}"}');
  expect(button("Run", change, sent).toString()).not.toMatch(/data-whole|data-next/);
});

test("an update of a whole record contains only members that the operation accepts", () => {
  expect(membersFor(change, now)).toEqual(Object.fromEntries(Object.entries(now).filter(([name]) => name !== "other")));
});
