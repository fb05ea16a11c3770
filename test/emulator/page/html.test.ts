import fc from "fast-check";
import { html } from "../../../emulator/page/html";

/** Decodes escaped text like a browser. */
function read(markup: string): string {
  const names: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return markup.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => names[entity] ?? entity);
}

test("escaped text cannot end an HTML element or attribute", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(fc.constantFrom("<", ">", '"', "'", "&", "lt;", "script"), fc.string()) }),
      (text) => {
        const markup = html`<p title="${text}">${text}</p>`.toString();
        const [, title = "", inner = ""] = /^<p title="([^"<>']*)">([^<>"']*)<\/p>$/.exec(markup) ?? [];
        expect([read(title), read(inner)]).toEqual([text, text]);
      },
    ),
  );
});

test("html() does not escape markup twice", () => {
  const bold = (text: string) => html`<b>${text}</b>`;
  expect(html`<p>${["<a>", "c"].map(bold)}</p>`.toString()).toBe("<p><b>&lt;a&gt;</b><b>c</b></p>");
  expect(html`${[["&", bold("d")]]}`.toString()).toBe("&amp;<b>d</b>");
});

test("html() shows an undefined value as an empty string", () => {
  expect(html`[${undefined}${null}${false}${true}${[]}${0}]`.toString()).toBe("[0]");
});
