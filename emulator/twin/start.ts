import { randomBytes } from "node:crypto";
import { type AccountGroup as AccountGroupRecord, operations } from "../../api/schemas";
import { launch } from "../launch";
import { fleetOf } from "../fleet/fleet";
import { settle } from "../options";
import type { OrganizationGroup, Caller } from "../organization";
import type { Service } from "../service";
import type { Credentials, EmulatorOptions } from "../settings";
import { type CopiedLists, restore } from "./restore";
import { type AgentsOfTest, agentsOfTests } from "./running";

/** The source of a twin's records. If the source throws an error, the twin stops copying and returns the error from `failure`. */
export interface TwinSource {
  /** Account groups that the token's user may see, the user's own account group first. */
  readonly accountGroups: readonly [AccountGroupRecord, ...AccountGroupRecord[]];
  /** Whether the service refuses to list the account groups. */
  readonly hidesAccountGroups: boolean;
  read(aid: string): Promise<CopiedLists>;
}

/** Returns the account for credentials that the twin did not issue, unless the service refuses the credentials. */
export type AccountOf = (credentials: Credentials) => Promise<TwinSource | undefined>;

export interface TimedRequest {
  readonly operation: string;
  readonly status: number;
  /** Time when the request arrived, as a value of `performance.now()`. */
  readonly from: number;
  readonly to: number;
}

/**
 * A copy of an account in memory. Only this machine can reach the copy. Unlike an emulator's credentials, the twin's credentials are
 * secret.
 */
export interface AccountTwin {
  readonly url: string;
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Copies account groups immediately, before a request needs them. */
  copy(aids: readonly string[]): Promise<void>;
  copied(): readonly string[];
  /** Returns the error that prevented the copy. After an error, the twin's responses are meaningless. */
  failure(): unknown;
  /** Returns the names of the lists that the service refused to return, such as `labels of account group 1001`. */
  refused(): readonly string[];
  requests(): readonly TimedRequest[];
  /** Whether the twin received requests for another service or with other credentials. */
  strayed(): boolean;
  /** Returns the agents of each test at the time of the copy, and the agents now. */
  agentsOfTests(): { readonly before: readonly AgentsOfTest[]; readonly after: readonly AgentsOfTest[] };
  agentName(id: string): string;
  /**
   * Saves the current content.
   *
   * @returns a function that restores the content
   */
  remember(): () => void;
  close(): Promise<void>;
}

/** Area of each operation, such as `labels`, by operation id. */
const areas = new Map(
  Object.entries(operations).flatMap(([area, calls]) => Object.values(calls).map(({ id }) => [id, area] as const)),
);

/**
 * Starts a twin: an emulator that copies an account's records on demand. Copied records keep their ids.
 *
 * A twin has no rate limit. A caller can use the result of `requests` to compute how long the requests would take with a rate limit.
 *
 * @param accountOf function that returns the account for credentials that the twin did not issue. If omitted, the twin refuses such
 * credentials
 * @throws EmulatorError if the port is not available
 */
export async function startTwin(
  source: TwinSource,
  options: Pick<EmulatorOptions, "port" | "uniqueTestNames" | "licenses"> = {},
  accountOf?: AccountOf,
): Promise<AccountTwin> {
  const sources = [source];
  const caller = callerOf(source, 1);
  const requests: TimedRequest[] = [];
  const copies = new Map<string, Promise<void>>();
  const strays = new Set<string>();
  const initial: AgentsOfTest[] = [];
  const refusals = new Map<string, string>();
  let failure: unknown;
  let service: Service | undefined;

  const copyGroup = async (aid: string): Promise<void> => {
    try {
      // The twin copies an account group only if a source contains it.
      const owner = sources.find(({ accountGroups }) => accountGroups.some((group) => group.aid === aid)) ?? source;
      const lists = await owner.read(aid);
      // `service` is always defined here, because the twin starts before the first copy.
      if (service) {
        restore(service, aid, lists);
        for (const agent of agentsOfTests(service, [aid], () => false)) initial.push(agent);
      }
      for (const [area, list] of Object.entries(lists)) if ("refused" in list) refusals.set(`${area} ${aid}`, list.refused);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const copied = async (aids: readonly string[]): Promise<void> => {
    const known = new Set(sources.flatMap(({ accountGroups }) => accountGroups.map(({ aid }) => aid)));
    // Licenses belong to the organization, so all account groups must be copied to count used licenses.
    const counted = options.licenses ? [...known] : [...new Set(aids)].filter((aid) => known.has(aid));
    for (const aid of counted) if (!copies.has(aid)) copies.set(aid, copyGroup(aid));
    await Promise.all(counted.flatMap((aid) => copies.get(aid) ?? []));
  };
  const admitted = new Map<string, Promise<Caller | undefined>>();
  const admit = async (credentials: Credentials): Promise<Caller | undefined> => {
    try {
      const account = await accountOf?.(credentials);
      if (!account) return undefined;
      sources.push(account);
      return callerOf(account, sources.length);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const [token, clientId, clientSecret] = ["token", "client", "secret"].map(
    (what) => `twin-${what}-${randomBytes(16).toString("hex")}`,
  );
  const settings = {
    ...settle({ ...options, transferDelayMs: 0, token, clientId, clientSecret, rateLimit: "off", agents: 0 }),
    onError: (error: unknown) => (failure ??= error),
    twin: {
      caller,
      callerOf: (credentials: Credentials) => {
        const key = JSON.stringify(credentials);
        const known = admitted.get(key) ?? admit(credentials);
        admitted.set(key, known);
        return known;
      },
      copied,
      refusal: (operation: string, aid: string) => {
        if (operation === operations.accountGroups.list.id && source.hidesAccountGroups)
          return "The token may not list the account groups of the account.";
        return refusals.get(`${areas.get(operation)} ${aid}`);
      },
      stray: (pathname: string) => void strays.add(pathname),
      answered: (operation: string, status: number, ms: number) => {
        const now = performance.now();
        requests.push({ operation, status, from: now - ms, to: now });
      },
    },
  };
  const { emulator, server } = await launch(settings);
  service = server.service;
  return {
    url: emulator.url,
    token: settings.token,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    copy: copied,
    copied: () => [...copies.keys()],
    failure: () => failure,
    refused: () => [...refusals.keys()].map((key) => key.replace(" ", " of account group ")),
    requests: () => requests,
    strayed: () => strays.size > 0 || requests.some(({ status }) => status === 401),
    agentsOfTests: () => {
      const known = new Set(initial.map(({ id }) => id));
      return { before: initial, after: agentsOfTests(server.service, [...copies.keys()], (id) => !known.has(id)) };
    },
    agentName: (id) => fleetOf(server.service).get(id)?.body.name ?? id,
    remember: () => server.service.store.remember(),
    close: () => emulator.close(),
  };
}

function callerOf({ accountGroups }: TwinSource, number: number): Caller {
  const [first, ...others] = accountGroups;
  return {
    userId: `rehearsal-${number}`,
    name: "Token of the rehearsed stack",
    role: { name: "Permissions inferred from reads", permissions: ["edit", "edit-endpoint-tests", "view-personal-data"] },
    accountGroups: [groupOf(first), ...others.map(groupOf)],
  };
}

function groupOf({ aid, accountGroupName = aid, orgId, organizationName }: AccountGroupRecord): OrganizationGroup {
  return {
    aid,
    accountGroupName,
    ...(orgId !== undefined && { orgId }),
    ...(organizationName !== undefined && { organizationName }),
  };
}
