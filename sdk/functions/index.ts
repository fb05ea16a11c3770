export * from "./account-groups";
export * from "./agents";
export * from "./http-server-results";
export * from "./labels";
export * from "./local-networks";
export * from "./network-results";
export * from "./path-visualizations";
export * from "./real-user-tests";
export * from "./tests";
export type { AccountGroupArgs, LimitArgs, TimeArgs } from "./arguments";
export type { Fetch, FetchAll, FetchOutput, OutputOptions } from "./define";
export type { OfTestArgs, TestReference } from "./of-test";
export type {
  AccountGroup,
  AgentRecord,
  AgentToServerTestRecord,
  DynamicNetworkResult,
  DynamicTestRecord,
  HttpServerResult,
  HttpServerTestRecord,
  LabelRecord,
  LocalNetwork,
  NetworkResult,
  PathDetail,
  PathResult,
  RealUserDetail,
  RealUserNetwork,
  RealUserResult,
  Topology,
  TopologyDetail,
  VisitedPageResult,
} from "../../api";
