import type { OperationMatch } from "./operation-runner";
import type { Reply } from "./reply";
import type { RawRequest } from "./request";

/**
 * Receives each request of an operation before the emulator executes it, and then the response.
 *
 * Tests of the provider use interceptors to simulate API variations. By default, requests and responses pass unchanged.
 */
export type Interceptor = (
  request: RawRequest,
  match: OperationMatch,
  carryOut: (request: RawRequest) => Promise<Reply>,
) => Promise<Reply>;
