// Written by `npm run generate` from the schemas; change it there.
import type { SelfLinks } from "./common";

/** Body of a create or an update. No member is required. An update overwrites what is sent, and cannot change the last four members. */
export interface StreamRequest {
  /** Tags of the tests whose data is sent: keys and values, no identifiers. */
  tagMatch?: Record<string, unknown>[];
  /** Types of the tests whose data is sent. */
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
  /** Tests whose data is sent. */
  testMatch?: {
    /** Identifier of the test. */
    id?: string;
    /** `endpoint` for endpoint tests, `cea` for all others. */
    domain?: string;
  }[];
  /** Endpoint labels whose agents' data is sent. */
  endpointAgentLabel?: {
    /** Identifier of the label. */
    id: string;
  }[];
  /** The same as tags of endpoint agents. A stream has one of the two. */
  endpointAgentTag?: {
    /** Identifier of the tag. */
    id: string;
  }[];
  /** Name of the stream. */
  name?: string;
  /** Where the data is sent. */
  streamEndpointUrl?: string;
  /** Headers of what is sent. They may hold secrets. */
  customHeaders?: Record<string, unknown>;
  /** Credentials of the target. */
  exporterConfig?: Record<string, unknown>;
  /** Whether data is sent. */
  enabled?: boolean;
}

/** A stream of measurements to another system, as far as this package looks at it. Further members are kept. */
export interface StreamRecord {
  /** Identifier of the stream. */
  id: string;
  /** Links of the record. */
  _links?: SelfLinks;
  /** Tests whose data is sent. */
  testMatch?: {
    /** Identifier of the test. */
    id?: string;
    /** `endpoint` for endpoint tests, `cea` for all others. */
    domain?: string;
  }[];
  /** Endpoint labels whose agents' data is sent. */
  endpointAgentLabel?: {
    /** Identifier of the label. */
    id: string;
  }[];
  /** The same as tags of endpoint agents. A stream has one of the two. */
  endpointAgentTag?: {
    /** Identifier of the tag. */
    id: string;
  }[];
  /** Name of the stream. */
  name?: string;
}
