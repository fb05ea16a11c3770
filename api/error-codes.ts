/**
 * Every error code of this package with its meaning and its remedy. Programs may rely on an error's class or code, but not on
 * its message. `npm run generate` writes the reference page docs/errors.md from this table.
 */
export const errorCodes = {
  validation: {
    status: "400",
    meaning: "The service reports that fields of the request are invalid.",
    todo: "Correct the fields that the message names. If the message names no field, the token's role may lack a permission.",
  },
  unauthorized: {
    status: "401",
    meaning: "The service refuses the token or the client credentials.",
    todo: "Check endpoint-monitoring:token, or clientId and clientSecret. The token may have expired, or a new token may have replaced it. `pulumi refresh` and `pulumi destroy` use the token of the last `pulumi up`, unless you add --run-program.",
  },
  forbidden: {
    status: "403",
    meaning: "The role of the token's owner lacks a permission, or is not assigned to the account group.",
    todo: "Give the token's owner the missing permission or role (such as API access, or account administrator to create tests), or correct accountGroupId. If the account group no longer exists, `pulumi state delete` removes its resources from the state.",
  },
  "not-found": {
    status: "404, 410",
    meaning: "The account group does not contain the record, or the service does not have the requested path.",
    todo: "Check the id and accountGroupId. If the path is unknown, check baseUrl.",
  },
  conflict: {
    status: "409",
    meaning:
      "The request conflicts with an existing record. For an agent-to-server test, the usual cause is another test with the same name.",
    todo: "Choose another name, or adopt the existing record (adopt: true, or import).",
  },
  "rate-limited": {
    status: "429",
    meaning: "The organization's rate limit stayed exhausted although the client waited.",
    todo: "Run the operation later, or with a lower --parallel. Find out which other clients of the organization send requests.",
  },
  refused: {
    status: "other 3xx, 4xx",
    meaning: "The service refused the request with an HTTP status that no other error code covers.",
    todo: "Read the message, and check baseUrl and proxies.",
  },
  server: {
    status: "408, 5xx",
    meaning: "The service failed, or did not receive the request in time.",
    todo: "Run the operation again. If the operation fails again, check the service's status page and the token's permissions. If a permission is missing, the service can return status 500.",
  },
  connection: {
    status: "-",
    meaning: "The service could not be reached, or the connection broke before the response was complete.",
    todo: "Check baseUrl, the network, the proxy and the TLS settings, then run the operation again.",
  },
  aborted: {
    status: "-",
    meaning: "The program aborted the request with the `signal` of the request or of the client.",
    todo: "If `outcomeUnknown` is true, the service may have stored the record. Look for the record before you send the request again.",
  },
  protocol: {
    status: "-",
    meaning: "The service's response does not match the API specification.",
    todo: "Check baseUrl, and whether a proxy or login page answers in place of the service. If the service itself answers, report a bug and include the message, which names the method, path and JSON path.",
  },
  unconfirmed: {
    status: "2xx, 303",
    meaning:
      "The service accepted a write, but the response does not describe the record. The response body is missing, empty or unreadable.",
    todo: "Run `pulumi refresh`, then `pulumi up`. If the update fails again, check baseUrl. If baseUrl is correct, report a bug and include the message, which names the method, path and JSON path.",
  },
  request: {
    status: "-",
    meaning: "The request does not match the API specification. The client sent nothing.",
    todo: "Correct the fields that the message names.",
  },
  partial: {
    status: "-",
    meaning: "The service stored only some values of a create or update request. The state contains the stored values.",
    todo: "Solve the problems that the message names. The next `pulumi up` sets the remaining values.",
  },
  gone: {
    status: "-",
    meaning:
      "The record of a resource was deleted or moved outside Pulumi, or the program calls `get` with an id that does not exist.",
    todo: "Run `pulumi refresh`, then `pulumi up`. If `get` fails, correct the id or accountGroupId.",
  },
  duplicate: {
    status: "-",
    meaning: "The new record would duplicate an existing record.",
    todo: "After a rename or a move, set the old name or parent in the resource option aliases. To manage the existing record, import the record, or adopt it (adopt: true). Manage each record in one stack only.",
  },
  "damaged-state": {
    status: "-",
    meaning: "Properties in a resource's state have the wrong types, because the state was edited or is damaged.",
    todo: "Run `pulumi refresh`, which reads the record from the service, then `pulumi up`. `pulumi destroy` works without a refresh.",
  },
  "derived-replacement": {
    status: "-",
    meaning:
      "The service returns a value that no program can declare. Only a replacement of the record would change the value. The provider changed nothing.",
    todo: "Correct the value in the service, or replace the record. To replace the record, run `pulumi up --replace URN`, or `endpoint-monitoring review --approval` and `apply`. A replaced test loses its result history.",
  },
  unproven: {
    status: "-",
    meaning:
      "The service reports that a record does not exist, but still lists the record, or may have answered for another account.",
    todo: "Check `endpoint-monitoring:baseUrl` and the credentials, then run the operation again. The resource stays in the state.",
  },
  "other-service": {
    status: "-",
    meaning: "The base URL in the settings belongs to a different service than the records in the state.",
    todo: "Correct `endpoint-monitoring:baseUrl`. If the service moved, set `endpoint-monitoring:movedFrom` for one update and one refresh.",
  },
  ownership: {
    status: "-",
    meaning: "Two resources of a program manage, or may manage, the same record.",
    todo: "In the program, keep only one resource for the record. If the state contains two resources for the record, also run `pulumi state delete` for the resource that the program no longer declares. If the message names a file or a folder, follow the instructions in the message.",
  },
  unapproved: {
    status: "-",
    meaning:
      "During `endpoint-monitoring apply`, a value that was unknown in the preview differs from the approved value. The provider sent nothing.",
    todo: "Review and approve the change again.",
  },
  "unknown-outcome": {
    status: "-",
    meaning:
      "The record may exist. The service did not confirm the create request, and did not list the record within createOutcomeTimeout.",
    todo: "Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`. The update adopts the record if it exists, and creates the record otherwise.",
  },
  lookup: {
    status: "-",
    meaning: "A function that must find exactly one record found none or several.",
    todo: "Correct the arguments, or use the id of a record that the message lists.",
  },
  transfer: {
    status: "-",
    meaning: "The service refused to transfer agents, or did not transfer them in time.",
    todo: "For each agent in the message, solve the problem, then run `pulumi up` again. If a transfer takes too long, set a longer transferTimeout.",
  },
  expectation: {
    status: "-",
    meaning: "The measurements of a test run do not meet the limits in `expect`, or no results arrived in time.",
    todo: "Read the measurements in the message. The next `pulumi up` runs the test again.",
  },
  configuration: {
    status: "-",
    meaning: "A setting is missing or invalid. The client sent nothing.",
    todo: "Correct the setting that the message names.",
  },
} as const satisfies Record<string, { status: string; meaning: string; todo: string }>;

export type ErrorCode = keyof typeof errorCodes;
