import type { AgentToServerTestRecord, DynamicTestRecord, HttpServerTestRecord } from "../../api/types";

export type {
  AccountGroup,
  AgentLogItem,
  AgentRecord,
  AgentSearchFilters,
  AgentSelectorConfig,
  AgentSort,
  AgentThresholds,
  AgentToServerTestRecord,
  ApiToken,
  ApplicationLoad,
  ApplicationScore,
  AsnDetails,
  BatteryMetrics,
  CellularProfile,
  Coordinates,
  DynamicNetworkResult,
  DynamicNetworkResultFilters,
  DynamicPathDetail,
  DynamicPathResult,
  DynamicTestRecord,
  EthernetProfile,
  HttpServerResult,
  HttpServerResultFilters,
  HttpServerSort,
  HttpServerTestRecord,
  HttpServerThresholds,
  LabelRecord,
  Link,
  LocalNetwork,
  NetworkMetrics,
  NetworkProfile,
  NetworkResult,
  NetworkResultFilters,
  NetworkResultMultiFilters,
  NetworkSort,
  NetworkThresholds,
  PathDetail,
  PathResult,
  PathRoute,
  PathTrace,
  Ping,
  ProbeScore,
  ProxyRecord,
  RealUserDetail,
  RealUserNetwork,
  RealUserResult,
  RealUserResultFilters,
  RealUserTestProfile,
  SelfLinks,
  Spread,
  SystemMetrics,
  TcpConnect,
  Topology,
  TopologyDetail,
  TopologyFilters,
  TopologyThresholds,
  Traceroute,
  UserProfile,
  VisitedPage,
  VisitedPageDetail,
  VisitedPageResult,
  VisitNetwork,
  VpnProfile,
  ZtaMetrics,
} from "../../api/types";

interface KindOf<K extends string> {
  /** Kind of the test: `agent-to-server`, `http-server` or `dynamic`. */
  kind: K;
}

/** A test as the service answers it, told apart by `kind`. */
export type TestRecord =
  | (KindOf<"agent-to-server"> & AgentToServerTestRecord)
  | (KindOf<"http-server"> & HttpServerTestRecord)
  | (KindOf<"dynamic"> & DynamicTestRecord);
