import type { OperationMatch } from "./operation-runner";
import type { Reply } from "./reply";
import type { RawRequest } from "./request";

/**
 * Function that receives each request of an operation before the emulator executes the operation. The function returns the response.
 *
 * Tests of the provider use interceptors to simulate API variations. Without an interceptor, requests and responses stay unchanged.
 */
export type Interceptor = (
  request: RawRequest,
  match: OperationMatch,
  carryOut: (request: RawRequest) => Promise<Reply>,
) => Promise<Reply>;
