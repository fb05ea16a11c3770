import type { OperationMatch } from "./operation-runner";
import type { Reply } from "./reply";
import type { RawRequest } from "./request";

/**
 * Function that receives each request before the emulator executes the request's operation, and that returns the response.
 *
 * Tests of the provider use interceptors to simulate API variations. Without an interceptor, requests and responses stay unchanged.
 */
export type Interceptor = (
  request: RawRequest,
  match: OperationMatch,
  carryOut: (request: RawRequest) => Promise<Reply>,
) => Promise<Reply>;
