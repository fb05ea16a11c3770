import type * as api from "../../api";

/**
 * A record with the members that are known: the service may answer more, which are there, too, but outputs of a type that allows
 * any member would not be typed in the known ones.
 */
type Named<T> = T extends readonly (infer I)[] ? Named<I>[] : T extends object ? NamedObject<T> : T;
/** One without any known member, such as a HAR object, stays as it is. */
type NamedObject<T> = keyof Members<T> extends never ? T : Members<T>;
type Members<T> = { [P in keyof T as string extends P ? never : P]: Named<T[P]> };

/** An account group. */
export interface AccountGroup extends Named<api.AccountGroup> {}
/** An agent, as it is now. */
export interface AgentRecord extends Named<api.AgentRecord> {}
/** What happened to an agent; `agentLogItemType` says which of the four items is there. */
export interface AgentLogItem extends Named<api.AgentLogItem> {}
/** A proxy setting of agents and tests. */
export interface ProxyRecord extends Named<api.ProxyRecord> {}
/** A new API token. */
export interface ApiToken extends Named<api.ResponseOf<typeof api.operations.apiTokens.regenerate>> {}
/** A label, with its filters. */
export interface LabelRecord extends Named<api.LabelRecord> {}
/** An agent-to-server test. */
export interface AgentToServerTestRecord extends Named<api.AgentToServerTestRecord> {}
/** An HTTP-server test. */
export interface HttpServerTestRecord extends Named<api.HttpServerTestRecord> {}
/** A dynamic test. */
export interface DynamicTestRecord extends Named<api.DynamicTestRecord> {}

/** A test as the service answers it, told apart by `kind`. */
export type TestRecord =
  | ({ kind: "agent-to-server" } & AgentToServerTestRecord)
  | ({ kind: "http-server" } & HttpServerTestRecord)
  | ({ kind: "dynamic" } & DynamicTestRecord);

/** Network metrics of one agent in one round of a scheduled test. */
export interface NetworkResult extends Named<api.NetworkResult> {}
/** Network metrics of one session in one round of a dynamic test. */
export interface DynamicNetworkResult extends Named<api.DynamicNetworkResult> {}
/** One agent's request in one round of an HTTP-server test. */
export interface HttpServerResult extends Named<api.HttpServerResult> {}
/** The paths of one agent in one round, without their hops. */
export interface PathResult extends Named<api.PathResult> {}
/** The paths of one agent in one round, with their hops. */
export interface PathDetail extends Named<api.PathDetail> {}

type Paths = typeof api.operations.pathVisualization;
/** The paths of one session in one round of a dynamic test, without their hops. */
export interface DynamicPathResult extends Named<api.ResponseOf<Paths["listDynamic"]>["results"][number]> {}
/** The paths of one session in one round of a dynamic test, with their hops. */
export interface DynamicPathDetail extends Named<api.ResponseOf<Paths["getDynamic"]>["results"][number]> {}

/** A network that agents have been in. */
export interface LocalNetwork extends Named<api.LocalNetwork> {}
/** What an agent measured on its way out of a local network. */
export interface Topology extends Named<api.Topology> {}
/** The same with where the agent was, and the way its packets took. */
export interface TopologyDetail extends Named<api.TopologyDetail> {}

/** A profile of real user monitoring: which domains are watched, and on which agents. */
export interface RealUserTestProfile extends Named<api.RealUserTestRecord> {}
/** A visit of a site, which is a real user test. */
export interface RealUserResult extends Named<api.RealUserResult> {}
/** Network metrics of a visit. */
export interface RealUserNetwork extends Named<api.RealUserNetwork> {}
/** A visit with its pages and its network. */
export interface RealUserDetail extends Named<api.RealUserDetail> {}
/** A page of a visit. */
export interface VisitedPageResult extends Named<api.VisitedPageResult> {}
/** How a page of a visit loaded: `har` is a HAR 1.2 object. */
export interface VisitedPageDetail extends Named<api.ResponseOf<typeof api.operations.realUserResults.getPage>> {}
