/**
 * Every error code of this package, with its meaning and what to do about it. The reference page is generated from this table. The codes
 * are public: programs may decide by class or code, but never by message text.
 */
export const errorCodes = {
  validation: {
    status: "400",
    meaning: "The service reports invalid fields.",
    todo: "Correct the fields that the message names. If it names none, the role may lack a permission: the service answers that with 400, too.",
  },
  unauthorized: {
    status: "401",
    meaning: "The service refuses the token or the client credentials.",
    todo: "Check endpoint-monitoring:token, or clientId and clientSecret: a token may have expired or been regenerated. (`pulumi refresh` and `pulumi destroy` use the settings of the last `pulumi up`; add --run-program for the current settings.)",
  },
  forbidden: {
    status: "403",
    meaning: "The role of the token's owner lacks a permission, or is not assigned to the account group.",
    todo: "Give the role the permission (API access; account administrator to create tests) or correct accountGroupId. If the account group no longer exists, `pulumi state delete` removes its resources from the state.",
  },
  "not-found": {
    status: "404, 410",
    meaning: "There is no such record or path in this account group.",
    todo: "Check the id and accountGroupId; if the path itself is unknown, baseUrl.",
  },
  conflict: {
    status: "409",
    meaning: "The write conflicts with an existing record; for agent-to-server tests a name in use is the likely cause.",
    todo: "Choose another name, or adopt the existing record (adopt: true, or import).",
  },
  "rate-limited": {
    status: "429",
    meaning: "The organization's request budget stayed exhausted for longer than the client waits.",
    todo: "Run again later, with less --parallel, or find out who else uses the budget.",
  },
  refused: {
    status: "other 3xx, 4xx",
    meaning: "The service refused the request with a status that has no class of its own.",
    todo: "Check baseUrl (version, proxies) and the message.",
  },
  server: {
    status: "408, 5xx",
    meaning: "The service failed, or did not get the request in time.",
    todo: "Run again; if it persists, look at the service's status page, and at the permissions of the role: the service may answer 500 if one is missing.",
  },
  connection: {
    status: "-",
    meaning: "The service could not be reached, or the connection broke before the answer was complete.",
    todo: "Check baseUrl, the network, proxy and TLS settings; then run again.",
  },
  aborted: {
    status: "-",
    meaning: "The program ended the request by its signal, or by that of the client.",
    todo: "If `outcomeUnknown` is true, the service may have stored what was sent: look for it before sending it again.",
  },
  protocol: {
    status: "-",
    meaning:
      "The answer does not match the interface: something other than the service may have answered, such as the login page of a network.",
    todo: "Check that baseUrl is the service, and that no proxy or login page answers in its place; otherwise report it: the message names method, path and JSON path.",
  },
  unconfirmed: {
    status: "2xx, 303",
    meaning:
      "The service accepted a write, but its answer does not describe the record: the body is absent, empty or not readable.",
    todo: "Run `pulumi refresh`, then `pulumi up`. If it persists, check that baseUrl is the service, and report it: the message names method, path and JSON path.",
  },
  request: {
    status: "-",
    meaning: "The request does not match the interface; nothing was sent.",
    todo: "Correct the fields that the message names.",
  },
  partial: {
    status: "-",
    meaning: "A resource was created or updated in part; the state holds what exists.",
    todo: "Follow the reasons; the next `pulumi up` tries the rest.",
  },
  gone: {
    status: "-",
    meaning:
      "The record that a resource manages was deleted or moved outside Pulumi, or `get` names an id that does not exist.",
    todo: "Run `pulumi refresh`, then `pulumi up`; for `get`, correct the id or accountGroupId.",
  },
  duplicate: {
    status: "-",
    meaning: "A create would duplicate existing records.",
    todo: "After a rename or a move, give the old name or parent in the resource option aliases. Otherwise manage the record in one stack only; import it, or adopt it (adopt: true).",
  },
  "damaged-state": {
    status: "-",
    meaning: "Properties in the state of a resource do not have the shape of its kind: the state was edited, or is damaged.",
    todo: "Run `pulumi refresh`, which reads them again from the service, then `pulumi up`. `pulumi destroy` works without it.",
  },
  "derived-replacement": {
    status: "-",
    meaning:
      "The service returns a value that no program can declare, and only a replacement of the record could change it. Nothing was changed.",
    todo: "Correct the value in the service, or consent to the replacement: `pulumi up --replace URN`, or `endpoint-monitoring review --approval` and `apply`. A replaced test loses its result history.",
  },
  unproven: {
    status: "-",
    meaning:
      "The service answers that a record does not exist, and nothing proves it: it still lists the record, or another account answers.",
    todo: "Check `endpoint-monitoring:baseUrl` and the credentials, then run the operation again. The record stays in state.",
  },
  "other-service": {
    status: "-",
    meaning: "The records of the state are at another origin than the one in the settings.",
    todo: "Correct `endpoint-monitoring:baseUrl`. If the service moved, set `endpoint-monitoring:movedFrom` for one update and one refresh.",
  },
  ownership: {
    status: "-",
    meaning:
      "Two resources of one program manage the same record, or it cannot be determined whether another provider process of the operation does.",
    todo: "Delete one of the two from the program; if both are in the state, also run `pulumi state delete` for that one. If the message names a file or a folder, do what it says.",
  },
  unapproved: {
    status: "-",
    meaning:
      "A value that is known only during the update is not what was approved for `endpoint-monitoring apply`; nothing was sent.",
    todo: "Review the change again: the value depends on the id of a new resource, or on another value that the preview did not know.",
  },
  "unknown-outcome": {
    status: "-",
    meaning:
      "A create may have succeeded: the service did not confirm it, and no list showed the record within createOutcomeTimeout.",
    todo: "Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`: it adopts the record if it exists, and creates it otherwise.",
  },
  lookup: {
    status: "-",
    meaning: "A look-up did not match exactly one record.",
    todo: "Correct it, or choose a record by its id: the message lists the matches.",
  },
  transfer: {
    status: "-",
    meaning: "Agents did not arrive in their new account group in time, or could not be transferred.",
    todo: "Run `pulumi up` again, increase transferTimeout, or follow the message for each agent.",
  },
  expectation: {
    status: "-",
    meaning: "The measurements of a run do not meet the expectations, or no results arrived in time.",
    todo: "Check the measurements in the message; the next `pulumi up` runs the test again.",
  },
  configuration: {
    status: "-",
    meaning: "A setting is missing or wrong; nothing was sent.",
    todo: "Correct the setting that the message names.",
  },
} as const satisfies Record<string, { status: string; meaning: string; todo: string }>;

export type ErrorCode = keyof typeof errorCodes;
