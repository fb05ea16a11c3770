// `npm run generate` writes this file from the schemas in api/schemas.
import type { SelfLinks } from "./common";

/**
 * Request body to create or update a stream. All members of the body are optional. An update overwrites the members in the
 * body, but cannot change `type`, `signal`, `endpointType` or `dataModelVersion`.
 */
export interface StreamRequest {
  /** Keys and values of the tags that select tests for the stream. */
  tagMatch?: Record<string, unknown>[];
  /** Types of tests that send data to the stream. */
  filters?: Record<string, unknown>;
  /** Additional data that the stream sends to the target. */
  inputConfig?: Record<string, unknown>;
  /** Type of the stream's target. */
  type?: "opentelemetry" | "splunk-hec";
  /** Type of the data to send: measurements, traces or logs. */
  signal?: "log" | "metric" | "trace";
  /** Protocol of the stream's target. */
  endpointType?: "grpc" | "http";
  /** Version of the data model. */
  dataModelVersion?: "v1" | "v2";
  /** Tests that send their results to the stream. */
  testMatch?: {
    /** Identifier of the test. */
    id?: string;
    /** Domain of the test: `endpoint` for endpoint tests, `cea` for all other tests. */
    domain?: string;
  }[];
  /** Endpoint labels of agents that send data to the stream. */
  endpointAgentLabel?: {
    /** Identifier of the label. */
    id: string;
  }[];
  /** Tags of endpoint agents that send data to the stream. A stream selects agents either by labels or by tags. */
  endpointAgentTag?: {
    /** Identifier of the tag. */
    id: string;
  }[];
  /** Name of the stream. */
  name?: string;
  /** Destination of the data. */
  streamEndpointUrl?: string;
  /** HTTP headers that the service sends with the data. The headers may contain secrets. */
  customHeaders?: Record<string, unknown>;
  /** Credentials for the target of the stream. */
  exporterConfig?: Record<string, unknown>;
  /** Whether the service sends data to the target. */
  enabled?: boolean;
}

/**
 * A stream that sends measurements to another system, with the members that this package uses. The client also returns all other
 * members.
 */
export interface StreamRecord {
  /** Identifier of the stream. */
  id: string;
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
  /** Tests that send their results to the stream. */
  testMatch?: {
    /** Identifier of the test. */
    id?: string;
    /** Domain of the test: `endpoint` for endpoint tests, `cea` for all other tests. */
    domain?: string;
  }[];
  /** Endpoint labels of agents that send data to the stream. */
  endpointAgentLabel?: {
    /** Identifier of the label. */
    id: string;
  }[];
  /** Tags of endpoint agents that send data to the stream. A stream selects agents either by labels or by tags. */
  endpointAgentTag?: {
    /** Identifier of the tag. */
    id: string;
  }[];
  /** Name of the stream. */
  name?: string;
}
