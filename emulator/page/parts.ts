import { count } from "../../common/text";
import { type Content, type Html, html } from "./html";
import { href } from "./visit";

export function badge(tone: "good" | "bad" | "quiet" | "accent", text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => Content;
  readonly number?: boolean;
  /** Whether the column is hidden on phones. */
  readonly wide?: boolean;
  /** Whether the column appears without its name on phones, because its values need no explanation. */
  readonly plain?: boolean;
}

/**
 * Returns a table with headers. The first cell of each row is the header of the row.
 *
 * On a phone, each row is a block, and cells show the name of their column. If CSS changes the layout of a table, some browsers drop the
 * table's ARIA roles, so the markup contains explicit roles.
 */
export function table<T>(caption: string, columns: readonly Column<T>[], rows: readonly T[], empty: Content): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<table role="table">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(headerCell)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map((column, at) => bodyCell(column, at, row))}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function classes(column: Pick<Column<never>, "number" | "wide" | "plain">): string {
  return (["number", "wide", "plain"] as const).filter((name) => column[name] === true).join(" ");
}

function headerCell<T>(column: Column<T>): Html {
  return html`<th role="columnheader" scope="col" class="${classes(column)}">${column.name}</th>`;
}

function bodyCell<T>(column: Column<T>, at: number, row: T): Html {
  const content = column.cell(row);
  if (at === 0) return html`<th role="rowheader" scope="row">${content}</th>`;
  return html`<td role="cell" class="${classes(column)}" data-name="${column.name}">${content}</td>`;
}

export function part(id: string, content: Content): Html {
  return html`<div id="${id}" data-part>${content}</div>`;
}

export function fold(title: string, content: Content): Html {
  return html`<details class="fold" open>
    <summary><h2>${title}</h2></summary>
    ${content}
  </details>`;
}

export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  const present = entries.filter(([, value]) => value !== undefined && value !== "" && value !== null && value !== false);
  return html`<dl class="facts">
    ${present.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export interface Slice<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** Returns the page of a list that the URL query selects, or the nearest existing page. */
export function slice<T>(items: readonly T[], query: URLSearchParams, size: number): Slice<T> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const asked = Math.trunc(Number(query.get("page") ?? 1));
  const page = Math.min(pages, Math.max(1, Number.isFinite(asked) ? asked : 1));
  return { rows: items.slice((page - 1) * size, page * size), total: items.length, page, pages };
}

export function pager(
  { page, pages }: Slice<unknown>,
  path: string,
  aid: string,
  filter: Readonly<Record<string, string | undefined>> = {},
): Html | undefined {
  if (pages === 1) return undefined;
  const link = (to: number, name: string, rel?: string) =>
    to < 1 || to > pages || to === page
      ? html`<span class="off">${name}</span>`
      : html`<a href="${href(path, aid, { ...filter, page: to === 1 ? undefined : to })}" ${rel && html` rel="${rel}"`}
          >${name}</a
        >`;
  return html`<nav class="pager" aria-label="Pages">
    ${link(1, "First")} ${link(page - 1, "Previous", "prev")}
    <span>Page ${count(page)} of ${count(pages)}</span>
    ${link(page + 1, "Next", "next")} ${link(pages, "Last")}
  </nav>`;
}

/** Returns a search box in a plain HTML form, so that the search also works without the page's script. */
export function searchBox(noun: string, path: string, aid: string, search: string): Html {
  const hidden = href("", aid) !== "" && html`<input type="hidden" name="aid" value="${aid}" />`;
  return html`<search>
    <form class="search" action="${path}" method="get">
      <label for="search">Search ${noun}</label>
      <input id="search" type="search" name="search" value="${search}" autocomplete="off" spellcheck="false" />${hidden}
      <button>Search</button>${search !== "" && html` <a href="${href(path, aid)}">Show all</a>`}
    </form>
  </search>`;
}
