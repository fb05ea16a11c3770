/** The error reporter shows an error that many resources share in full only once. The cause decides, not the error code. */
import { ConfigurationError, ConnectionError, ForbiddenError, RateLimitedError, UnauthorizedError } from "../../api";
import type { ErrorResponse } from "../../api/api-errors";
import { ErrorReporter } from "../../provider/error-reporter";

const get = { method: "GET", path: "/v7/endpoint/labels" } as const;
const refusal = (status: number, detail: string, more: Partial<ErrorResponse> = {}): ErrorResponse => ({
  ...get,
  status,
  body: { detail },
  requestId: undefined,
  repeatable: true,
  redact: (text) => text,
  ...more,
});
const unauthorized = (detail: string, more: Partial<ErrorResponse> = {}) =>
  new UnauthorizedError(refusal(401, detail, more), "unauthorized");
const limited = (more: Partial<ErrorResponse> = {}) => new RateLimitedError(refusal(429, "Too many", more), "rate-limited");
const refused = "the connection was refused";
const connection = (origin: string, reason = refused, path: string = get.path) =>
  new ConnectionError({ method: "GET", path, redact: String }, origin, {
    reason,
    phase: "connect",
    outcomeUnknown: false,
    mayPass: true,
    cause: undefined,
  });

const portal = 'HTTP server test "Portal"';
const office = 'label "Office" (17)';
const short = (code: string): string => `failed for the same reason as the ${portal} (${code}): see the error of the ${portal}`;

it.each([
  ["credential", unauthorized("Expired"), unauthorized("Expired", { path: "/v7/x", requestId: "r2" }), "unauthorized"],
  ["host", connection("https://a"), connection("https://a", refused, "/v7/x"), "connection"],
  ["setting", new ConfigurationError("baseUrl is missing"), new ConfigurationError("baseUrl is missing"), "configuration"],
  ["budget", limited(), limited({ path: "/v7/x" }), "rate-limited"],
])("the error reporter shows repeated errors about the same %s in full only once", (_what, first, again, code) => {
  const teller = new ErrorReporter();
  expect(teller.messageFor(first, portal)).toBe(first.message);
  expect(teller.messageFor(again, office)).toBe(short(code));
  expect(teller.messageFor(again, 'label "Yard"')).toBe(short(code));
  // The same resource cannot refer to another resource.
  expect(teller.messageFor(again, portal)).toBe(again.message);
});

it.each([
  [
    "a token that the service refuses for another reason",
    unauthorized("Expired"),
    unauthorized("No access to this account group"),
  ],
  ["client credentials instead of a token", unauthorized("Invalid"), unauthorized("Invalid", { path: "/v7/oauth2/token" })],
  ["another host", connection("https://a"), connection("https://b")],
  ["another cause of a failed connection", connection("https://a"), connection("https://a", "no response in time")],
  ["another setting", new ConfigurationError("baseUrl is missing"), new ConfigurationError("token is missing")],
  ["another budget", limited(), limited({ budget: "instant" })],
  [
    "a single resource",
    new ForbiddenError(refusal(403, "No"), "forbidden"),
    new ForbiddenError(refusal(403, "No"), "forbidden"),
  ],
])("the error reporter shows an error about %s in full, even if the error codes are equal", (_what, first, other) => {
  const teller = new ErrorReporter();
  teller.messageFor(first, portal);
  expect(teller.messageFor(other, office)).toBe(other.message);
});

it("the error reporter returns no message for an unexpected exception", () => {
  expect(new ErrorReporter().messageFor(new TypeError("x"), portal)).toBeUndefined();
});
