import { z } from "zod";
import { accountGroupQuery, identifier, selfLinks } from "./common";
import { operation } from "./operation";

export const streamType = z.enum(["opentelemetry", "splunk-hec"]);
const opaque = z.record(z.string(), z.unknown()).optional();

/** Returns the schema of a stream's references by id. */
const references = <I extends z.ZodType<string>>(id: I) => ({
  /** Tests that send their data to the stream. */
  testMatch: z
    .array(
      z.looseObject({
        /** Identifier of the test. */
        id: id.optional(),
        /** `endpoint` for endpoint tests, `cea` for all others. */
        domain: z.string().optional(),
      }),
    )
    .optional(),
  /** Endpoint labels. Data of their agents is sent. */
  endpointAgentLabel: z
    .array(
      z.looseObject({
        /** Identifier of the label. */
        id,
      }),
    )
    .optional(),
  /** Tags of endpoint agents. A stream has either labels or tags. */
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
 * Body of a create or an update. All members are optional. An update overwrites the sent members, and cannot change the last
 * four.
 */
export const streamRequest = z.object({
  /** Name of the stream. */
  name: z.string().optional(),
  /** Destination of the data. */
  streamEndpointUrl: z.string().optional(),
  /** Headers of the sent data. They may contain secrets. */
  customHeaders: opaque.meta({ sensitive: true }),
  /** Credentials of the target. */
  exporterConfig: opaque.meta({ sensitive: true }),
  /** Whether data is sent. */
  enabled: z.boolean().optional(),
  ...references(z.string()),
  /** Tags of tests, by keys and values instead of ids. Data of these tests is sent. */
  tagMatch: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Types of tests. Data of these tests is sent. */
  filters: opaque,
  /** Further data to send. */
  inputConfig: opaque,
  /** Kind of target. */
  type: streamType.optional(),
  /** The data to send: measurements, traces or logs. */
  signal: z.enum(["metric", "trace", "log"]).optional(),
  /** Protocol of the target. */
  endpointType: z.enum(["grpc", "http"]).optional(),
  /** Version of the data model. */
  dataModelVersion: z.enum(["v1", "v2"]).optional(),
});
export type StreamRequest = z.output<typeof streamRequest>;

/** A stream of measurements to another system, with the members that this package uses. Further members are kept. */
export const stream = z.looseObject({
  /** Identifier of the stream. */
  id: identifier,
  /** Name of the stream. */
  name: z.string().optional(),
  ...references(identifier),
  /** Links of the record. */
  _links: selfLinks.optional(),
});
export type StreamRecord = z.output<typeof stream>;

/** The streams of an account group, all in one answer. */
export const streams = z.array(stream);

const query = accountGroupQuery;
const reading = query.extend({
  /** Kind of target. */
  type: streamType.optional(),
});
const path = "/v7/streams";
const streamPath = "/v7/streams/{id}";
const written = { query, body: streamRequest, response: stream };

// These operations were never recorded. They follow the vendor's client models, which document no permission.
export const streamOperations = {
  list: operation({ id: "streams.list", method: "GET", path, query: reading, status: 200, response: streams }),
  create: operation({ id: "streams.create", method: "POST", path, ...written, status: 201 }),
  get: operation({ id: "streams.get", method: "GET", path: streamPath, query: reading, status: 200, response: stream }),
  update: operation({ id: "streams.update", method: "PUT", path: streamPath, ...written, status: 200 }),
  delete: operation({ id: "streams.delete", method: "DELETE", path: streamPath, query, status: 204 }),
};
