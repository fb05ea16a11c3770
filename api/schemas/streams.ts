import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { operation } from "./operation";

export const streamType = z.enum(["opentelemetry", "splunk-hec"]);
const opaque = z.record(z.string(), z.unknown()).optional();

/** Returns the schemas of the members that link a stream to tests, labels and tags. */
const references = <I extends z.ZodType<string>>(id: I) => ({
  /** Tests that send their results to the stream. */
  testMatch: z
    .array(
      z.looseObject({
        /** Identifier of the test. */
        id: id.optional(),
        /** Domain of the test: `endpoint` for endpoint tests, `cea` for all other tests. */
        domain: z.string().optional(),
      }),
    )
    .optional(),
  /** Endpoint labels of agents that send data to the stream. */
  endpointAgentLabel: z
    .array(
      z.looseObject({
        /** Identifier of the label. */
        id,
      }),
    )
    .optional(),
  /** Tags of endpoint agents that send data to the stream. A stream selects agents either by labels or by tags. */
  endpointAgentTag: z
    .array(
      z.looseObject({
        /** Identifier of the tag. */
        id,
      }),
    )
    .optional(),
});

/**
 * Request body to create or update a stream. All members of the body are optional. An update overwrites the members in the
 * body, but cannot change `type`, `signal`, `endpointType` or `dataModelVersion`.
 */
export const streamRequest = z.object({
  /** Name of the stream. */
  name: z.string().optional(),
  /** Destination of the data. */
  streamEndpointUrl: z.string().optional(),
  /** HTTP headers that the service sends with the data. The headers may contain secrets. */
  customHeaders: opaque.meta({ sensitive: true }),
  /** Credentials for the target of the stream. */
  exporterConfig: opaque.meta({ sensitive: true }),
  /** Whether the service sends data to the target. */
  enabled: z.boolean().optional(),
  ...references(z.string()),
  /** Keys and values of the tags that select tests for the stream. */
  tagMatch: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Types of tests that send data to the stream. */
  filters: opaque,
  /** Additional data that the stream sends to the target. */
  inputConfig: opaque,
  /** Type of the stream's target. */
  type: streamType.optional(),
  /** Type of the data to send: measurements, traces or logs. */
  signal: z.enum(["metric", "trace", "log"]).optional(),
  /** Protocol of the stream's target. */
  endpointType: z.enum(["grpc", "http"]).optional(),
  /** Version of the data model. */
  dataModelVersion: z.enum(["v1", "v2"]).optional(),
});
export type StreamRequest = z.output<typeof streamRequest>;

/**
 * A stream that sends measurements to another system, with the members that this package uses. The client also returns all other
 * members.
 */
export const stream = z.looseObject({
  /** Identifier of the stream. */
  id: identifier,
  /** Name of the stream. */
  name: z.string().optional(),
  ...references(identifier),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type StreamRecord = z.output<typeof stream>;

/** The streams of an account group. The service returns all streams on one page. */
export const streams = z.array(stream);

const query = accountGroupQuery;
const reading = query.extend({
  /** Type of the stream's target. */
  type: streamType.optional(),
});
const path = "/v7/streams";
const streamPath = "/v7/streams/{id}";
const written = { query, body: streamRequest, response: stream };

// Responses to stream operations were never observed. The schemas follow the vendor's client models, which document no
// permission.
export const streamOperations = {
  list: operation({ id: "streams.list", method: "GET", path, query: reading, status: 200, response: streams }),
  create: operation({ id: "streams.create", method: "POST", path, ...written, status: 201 }),
  get: operation({ id: "streams.get", method: "GET", path: streamPath, query: reading, status: 200, response: stream }),
  update: operation({ id: "streams.update", method: "PUT", path: streamPath, ...written, status: 200 }),
  delete: operation({ id: "streams.delete", method: "DELETE", path: streamPath, query, status: 204 }),
};
