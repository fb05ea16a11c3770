import { z } from "zod";
import type { Operation } from "../../api/schemas";
import { type Content, type Html, html } from "./html";

interface FormTarget {
  readonly aid: string;
  readonly id?: string;
  /** Path of the page that opens after the request. In the path, `*` represents the id of the created record. */
  readonly next?: string;
}

export type Choice = readonly [value: string, text: string];

interface FormContent extends FormTarget {
  readonly now?: object;
  /** Members that the request always contains, because some update requests, such as for tags, need the whole record. */
  readonly whole?: object;
  /** Possible values of members that contain ids. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
}

export function button(
  name: string,
  { method, path }: Pick<Operation, "method" | "path">,
  sent: FormTarget,
  body?: object,
): Html {
  return html`<button type="button" class="edit" ${request(method, path, sent)} ${body && html` data-whole="${json(body)}"`}>
    ${name}
  </button> `;
}

export function actions(...buttons: readonly Content[]): Html {
  return html`<p class="actions">${buttons} <span role="status" class="small"></span></p>`;
}

/** Returns a collapsed form with a field for each member of an operation's body. The page's script sends only changed fields. */
export function form(title: string, { method, path, body }: Operation, content: FormContent): Html {
  const { properties = {}, required = [] } = z.toJSONSchema(body ?? z.object({}), { io: "input" });
  const isOffered = (name: string): boolean => content.choices?.[name]?.length !== 0;
  const isRequired = (name: string): boolean => required.includes(name);
  const offered = Object.entries(properties)
    .filter(([name]) => isOffered(name))
    .toSorted(([a], [b]) => Number(isRequired(b)) - Number(isRequired(a)));
  const fields = offered.map(([name, schema]) =>
    field(name, schema as EditSchema, {
      value: content.now && Reflect.get(content.now, name),
      isRequired: isRequired(name),
      choices: content.choices?.[name],
    }),
  );
  return html`<details class="edit">
    <summary>${title}</summary>
    <form class="filter" ${request(method, path, content)} data-whole="${json(content.whole ?? {})}">
      ${fields}<button>${title}</button>
      <p role="status" class="small"></p>
    </form>
  </details>`;
}

export function membersFor({ body }: Operation, record: object): object {
  const { properties = {} } = z.toJSONSchema(body ?? z.object({}), { io: "input" });
  return Object.fromEntries(Object.entries(record).filter(([name]) => name in properties));
}

/** Returns a value as JSON for an HTML attribute that the page's script reads. */
function json(value: object): string {
  const code = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replaceAll(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, code);
}

function request(method: string, path: string, { aid, id = "", next }: FormTarget): Html {
  const target = `${path.replace(/\{\w+\}/, encodeURIComponent(id))}?aid=${aid}`;
  return html`data-send="${method} ${target}" ${next !== undefined && html` data-next="${next}"`}`;
}

interface EditSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly items?: EditSchema;
  readonly sensitive?: boolean;
}

interface FieldContent {
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly choices: readonly Choice[] | undefined;
}

function field(name: string, schema: EditSchema, { value, isRequired, choices }: FieldContent): Html {
  const isList = schema.type === "array";
  if (isList && schema.items?.type === "object") return labeled(name, filtersField(name, value));
  const options = choices ?? optionsOf(schema)?.map((option): Choice => [option, option]);
  const type = isList ? "list" : (schema.type ?? typeof schema.enum?.[0]);
  if (!options) {
    const kind = schema.sensitive === true ? "password" : type === "integer" ? "number" : "text";
    const shown = itemsOf(value).join(", ");
    return labeled(
      name,
      html`<input
        name="${name}"
        type="${kind}"
        value="${shown}"
        data-as="${type}"
        autocomplete="off"
        spellcheck="false"
        ${isRequired && html` required`}
      />`,
    );
  }
  const chosen = itemsOf(value);
  return labeled(
    name,
    html`<select name="${name}" data-as="${type}" ${isList && html` multiple size="4"`}>
      ${!isRequired && !isList && html`<option value=""></option>`}
      ${options.map(([option, text]) => html`<option value="${option}" ${chosen.includes(option) && html` selected`}>${text}</option>`)}
    </select>`,
  );
}

function labeled(name: string, control: Html): Html {
  return html`<label>${name} ${control}</label>`;
}

function optionsOf({ type, enum: values }: EditSchema): readonly string[] | undefined {
  return type === "boolean" ? ["true", "false"] : values?.map(String);
}

function itemsOf(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
}

/** Returns a text field with one filter per line, such as `not hostname: emea-*, amer-*`. */
function filtersField(name: string, value: unknown): Html {
  const filters = (Array.isArray(value) ? value : []) as readonly {
    key: string;
    mode?: string;
    scope?: string;
    values: string[];
  }[];
  const lines = filters.map(
    ({ key, mode, scope, values }) =>
      `${mode === "not-in" ? "not " : ""}${scope === "custom" ? "custom " : ""}${key}: ${values.join(", ")}`,
  );
  const placeholder = "hostname: emea-*, amer-*";
  return html`<textarea name="${name}" rows="3" data-as="filters" placeholder="${placeholder}" spellcheck="false">
${lines.join("\n")}</textarea>`;
}
