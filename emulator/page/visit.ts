import { administrator, type Caller } from "../organization";
import type { Internals } from "../internals";
import type { Service } from "../service";
import type { Html } from "./html";

/** A look at a page: what its view is made from. */
export interface PageRequest {
  readonly server: Internals;
  readonly service: Service;
  /** Account group that is looked at. */
  readonly aid: string;
  /** Scheme and host that the browser used. */
  readonly origin: string;
  /** Path that was asked for, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Last part of the path, where it names one object. */
  readonly id: string;
}

/** Parts of the page, as its navigation lists them. */
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

/** The content of a view. */
export interface Screen {
  readonly title: string;
  readonly section: SectionPath;
  /** Account group of what is shown; that of an object is the object's own. @defaultValue the visit's */
  readonly aid?: string;
  readonly main: Html;
  /** @defaultValue 200 */
  readonly status?: number;
}

/**
 * The page looks at the organization as its administrator does: who sits at this machine has that token anyway. The login account
 * group is the first.
 */
export function accountGroupsOf({ tokens }: Pick<Service, "tokens">): Caller["accountGroups"] {
  return tokens.owner.accountGroups;
}

/** Account group a query names, as `href` does; the administrator's login account group when it names none that exists. */
export function accountGroupOf(service: Pick<Service, "tokens">, query: URLSearchParams): string {
  const groups = accountGroupsOf(service);
  return (groups.find(({ aid }) => aid === (query.get("aid") ?? unnamed)) ?? groups[0]).aid;
}

/** Account group that addresses do not name: the login account group of all emulators but twins. */
const unnamed = administrator.accountGroups[0].aid;

/** Name of an account group, for people. */
export function accountGroupName(service: Pick<Service, "tokens">, aid: string): string {
  return accountGroupsOf(service).find((group) => group.aid === aid)?.accountGroupName ?? aid;
}

/** Address of a page in an account group. Empty parameters are left out. */
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
