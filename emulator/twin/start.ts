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

/** Where the twin of an account gets what it is a copy of. Whatever it throws ends the copy, and is kept as its `failure`. */
export interface TwinSource {
  /** Account groups that the token's user may see, the one that it works in first. */
  readonly accountGroups: readonly [AccountGroupRecord, ...AccountGroupRecord[]];
  /** Whether the account refuses to list them. */
  readonly hidesAccountGroups: boolean;
  /** Reads an account group. */
  read(aid: string): Promise<CopiedLists>;
}

/** Returns the account of credentials that are not the twin's own, as those of an explicit provider; nothing if the service refuses them. */
export type AccountOf = (credentials: Credentials) => Promise<TwinSource | undefined>;

/** A request that the twin has answered. */
export interface TimedRequest {
  readonly operation: string;
  readonly status: number;
  /** When it came and when it was answered, by `performance.now()`. */
  readonly from: number;
  readonly to: number;
}

/** A copy of an account that runs on loopback, in memory. Its token and its client are its own, and known to nobody else. */
export interface AccountTwin {
  readonly url: string;
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Copies account groups now, rather than when somebody asks about them. */
  copy(aids: readonly string[]): Promise<void>;
  /** Account groups that have been copied. */
  copied(): readonly string[];
  /** Returns the error that kept the account from being copied, if there is one: later answers of the twin are meaningless. */
  failure(): unknown;
  /** Lists that the account refused to show, as `labels of account group 1001`. */
  refused(): readonly string[];
  /** All requests since the start. */
  requests(): readonly TimedRequest[];
  /** Whether requests came that are meant for another account than this one: for another service, or with other credentials. */
  strayed(): boolean;
  /** Which agents ran which test when their account group was copied, and which run which now. */
  agentsOfTests(): { readonly before: readonly AgentsOfTest[]; readonly after: readonly AgentsOfTest[] };
  /** Name of an agent. */
  agentName(id: string): string;
  /** Remembers what it holds. @returns a function that brings it back */
  remember(): () => void;
  close(): Promise<void>;
}

/** Area of an operation, such as `labels`, by the operation's id. */
const areas = new Map(
  Object.entries(operations).flatMap(([area, calls]) => Object.values(calls).map(({ id }) => [id, area] as const)),
);

/**
 * Starts the twin of an account: an emulator that copies what it is asked about, with the same ids, and forgets it at the end. It
 * has no rate limit: how long requests would take under one is worked out from `requests`.
 *
 * @param accountOf without it, credentials of others are refused
 * @throws EmulatorError when the port cannot be had
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
      // Only groups that a source has are copied.
      const owner = sources.find(({ accountGroups }) => accountGroups.some((group) => group.aid === aid)) ?? source;
      const lists = await owner.read(aid);
      // It is launched before anything is copied.
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
    // Licenses are the organization's: their count needs every agent.
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
          return "The account does not show its account groups.";
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
    role: { name: "As far as reads can tell", permissions: ["edit", "edit-endpoint-tests", "view-personal-data"] },
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
