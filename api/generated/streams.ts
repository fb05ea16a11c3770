// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/**
 * Body of a create or an update. All members are optional. An update overwrites the sent members, and cannot change the last
 * four.
 */
export interface StreamRequest {
  /** Tags of tests, by keys and values instead of ids. Data of these tests is sent. */
  tagMatch?: Record<string, unknown>[];
  /** Types of tests. Data of these tests is sent. */
  filters?: Record<string, unknown>;
  /** Further data to send. */
  inputConfig?: Record<string, unknown>;
  /** Kind of target. */
  type?: "opentelemetry" | "splunk-hec";
  /** The data to send: measurements, traces or logs. */
  signal?: "log" | "metric" | "trace";
  /** Protocol of the target. */
  endpointType?: "grpc" | "http";
  /** Version of the data model. */
  dataModelVersion?: "v1" | "v2";
  /** Tests that send their data to the stream. */
  testMatch?: {
    /** Identifier of the test. */
    id?: string;
    /** `endpoint` for endpoint tests, `cea` for all others. */
    domain?: string;
  }[];
  /** Endpoint labels. Data of their agents is sent. */
  endpointAgentLabel?: {
    /** Identifier of the label. */
    id: string;
  }[];
  /** Tags of endpoint agents. A stream has either labels or tags. */
  endpointAgentTag?: {
    /** Identifier of the tag. */
    id: string;
  }[];
  /** Name of the stream. */
  name?: string;
  /** Destination of the data. */
  streamEndpointUrl?: string;
  /** Headers of the sent data. They may contain secrets. */
  customHeaders?: Record<string, unknown>;
  /** Credentials of the target. */
  exporterConfig?: Record<string, unknown>;
  /** Whether data is sent. */
  enabled?: boolean;
}

/** A stream of measurements to another system, with the members that this package uses. Further members are kept. */
export interface StreamRecord {
  /** Identifier of the stream. */
  id: string;
  /** Links of the record. */
  _links?: SelfLinks;
  /** Tests that send their data to the stream. */
  testMatch?: {
    /** Identifier of the test. */
    id?: string;
    /** `endpoint` for endpoint tests, `cea` for all others. */
    domain?: string;
  }[];
  /** Endpoint labels. Data of their agents is sent. */
  endpointAgentLabel?: {
    /** Identifier of the label. */
    id: string;
  }[];
  /** Tags of endpoint agents. A stream has either labels or tags. */
  endpointAgentTag?: {
    /** Identifier of the tag. */
    id: string;
  }[];
  /** Name of the stream. */
  name?: string;
}
