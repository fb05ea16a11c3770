import { administrator, type Caller } from "../organization";
import type { Internals } from "../internals";
import type { Service } from "../service";
import type { Html } from "./html";

export interface PageRequest {
  readonly server: Internals;
  readonly service: Service;
  readonly aid: string;
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Last part of the path, if the path ends with an id. */
  readonly id: string;
}

export const sections = [
  { path: "/", name: "Overview" },
  { path: "/agents", name: "Agents" },
  { path: "/labels", name: "Labels" },
  { path: "/tags", name: "Tags" },
  { path: "/tests", name: "Tests" },
  { path: "/requests", name: "Requests" },
  { path: "/emulator", name: "Emulator" },
] as const;

export type SectionPath = (typeof sections)[number]["path"];

export interface Screen {
  readonly title: string;
  readonly section: SectionPath;
  /**
   * Account group of the page's content. For the page of a record, the account group of the record.
   *
   * @defaultValue the account group of the request
   */
  readonly aid?: string;
  readonly main: Html;
  /** @defaultValue 200 */
  readonly status?: number;
}

/** Returns all account groups, because the user of the page has the administrator's token. */
export function accountGroupsOf({ tokens }: Pick<Service, "tokens">): Caller["accountGroups"] {
  return tokens.owner.accountGroups;
}

/** Returns the account group in the URL, or the first account group of the administrator by default. */
export function accountGroupOf(service: Pick<Service, "tokens">, query: URLSearchParams): string {
  const groups = accountGroupsOf(service);
  return (groups.find(({ aid }) => aid === (query.get("aid") ?? unnamed)) ?? groups[0]).aid;
}

/**
 * The default account group, which the page's URLs omit. Except in a copied account, the default is the administrator's login account
 * group.
 */
const unnamed = administrator.accountGroups[0].aid;

export function accountGroupName(service: Pick<Service, "tokens">, aid: string): string {
  return accountGroupsOf(service).find((group) => group.aid === aid)?.accountGroupName ?? aid;
}

export function href(
  path: string,
  aid: string,
  parameters: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const parameterList = new URLSearchParams(aid === unnamed ? {} : { aid });
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== "") parameterList.set(name, String(value));
  }
  const query = parameterList.toString();
  return query === "" ? path : `${path}?${query}`;
}
