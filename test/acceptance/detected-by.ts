/** The checks that detect each API variation, and the variations that no check can detect. */

interface Detection {
  /** Checks with a different result. */
  readonly rows?: readonly string[];
  /** Verbs of the operations with responses outside of the contract. `any` means every operation. */
  readonly operations?: readonly string[] | "any";
}

const testMembers = ["members-of-agent-to-server-tests", "members-of-dynamic-tests", "members-of-http-server-tests"];
const members = [...testMembers, "members-of-labels", "members-of-tags"];
const reads = ["create", "get", "list", "update"];

/** Variations with the same result. */
const groups: readonly (readonly [names: string, detection: Detection])[] = [
  ["create-200 create-202", { operations: ["create"] }],
  ["create-204 create-empty", { rows: [...members, "aid-in-links", "self-link"], operations: ["create"] }],
  [
    "create-empty-object create-id-only create-wrapped create-list create-text",
    { rows: [...members, "self-link"], operations: ["create"] },
  ],
  ["no-location", { rows: ["aid-in-links", "self-link"] }],
  ["update-202 patch-405", { operations: ["update"] }],
  [
    "update-204 update-empty update-empty-object update-id-only update-text update-wrapped",
    { rows: [...members, "self-link"], operations: ["update"] },
  ],
  ["delete-200 delete-200-empty delete-202 delete-text", { operations: ["delete"] }],
  ["strict-404 gone-410 gone-410-empty 404-page 404-empty-object 404-gateway", { rows: ["limit-text-of-404"] }],
  [
    "created-date-number modified-date-number modified-date-object",
    { rows: ["members-of-labels", "members-of-tags"], operations: reads },
  ],
  ["links-text links-list", { rows: ["aid-in-links", "members-of-tags", "self-link"], operations: reads }],
  ["type-object", { rows: ["members-of-dynamic-tests", "type-of-a-test"], operations: reads }],
  ["labels-of-tests-odd", { rows: ["labels-of-a-test"], operations: reads }],
  [
    "numbers-as-text booleans-as-numbers booleans-as-text ids-as-numbers ids-as-numbers-inside aid-as-number",
    { operations: reads },
  ],
  ["null-for-absent unknown-members", { rows: members }],
  ["no-links", { rows: [...members, "aid-in-links", "self-link"] }],
  ["no-dates no-aid", { rows: [...testMembers, "members-of-tags"] }],
  ["no-type", { rows: ["members-of-agent-to-server-tests", "members-of-http-server-tests", "type-of-a-test"] }],
  [
    "no-defaults",
    { rows: [...testMembers, "create-of-update-only-members", "limit-defaults-of-tests", "numbers-as-returned"] },
  ],
  ["no-selection", { rows: [...testMembers, "limit-defaults-of-tests", "numbers-as-returned"] }],
  ["unknown-words", { rows: ["members-of-dynamic-tests", "type-of-a-test"] }],
  [
    "trim-names unicode-nfc unicode-nfd lower-names escaped-names collapsed-space",
    { rows: ["spelling-of-label-names", "spelling-of-tags", "spelling-of-test-names"] },
  ],
  ["short-names", { rows: ["spelling-of-label-names", "spelling-of-test-names"] }],
  ["lower-hosts upper-hosts host-with-port root-dot", { rows: ["server-as-returned"] }],
  ["lower-url-hosts url-without-port url-with-slash url-without-query", { rows: ["url-as-returned"] }],
  ["clamp-agents", { rows: ["numbers-as-returned"] }],
  ["least-interval", { rows: ["limit-numbers", "numbers-as-returned"] }],
  ["lower-colors", { rows: ["label-color", "update-of-an-endpoint-agent-tag"] }],
  ["upper-colors", { rows: ["label-color"] }],
  [
    "upper-match-type",
    { rows: ["filters-of-a-label-as-returned", "filters-of-a-tag-as-returned", "update-of-an-endpoint-agent-tag"] },
  ],
  [
    "sorted-filters reversed-filters sorted-values distinct-values lower-values",
    { rows: ["filters-of-a-label-as-returned", "filters-of-a-tag-as-returned"] },
  ],
  ["no-mode", { rows: ["filter-without-mode", "tag-filter-defaults"] }],
  ["effective-agents", { rows: ["numbers-as-returned", "limit-defaults-of-tests"] }],
  ["labels-as-tags", { rows: ["deleting-a-label-in-use"] }],
  ["time-limit-seconds auth-in-capitals ssl-in-words unverified-certificate", { rows: ["limit-defaults-of-http-tests"] }],
  ["always-prioritized no-network", { rows: ["limit-defaults-of-tests"] }],
  ["icmp-port", { rows: ["server-as-returned", "limit-defaults-of-tests"] }],
  ["server-with-subdomain", { rows: ["server-as-returned"] }],
  [
    "bare-colors",
    { rows: ["label-color", "update-of-an-endpoint-agent-tag", "update-that-leaves-out", "limit-default-color"] },
  ],
  [
    "more-filters",
    {
      rows: [
        "patch-of-filters",
        "update-of-an-endpoint-agent-tag",
        "filters-of-a-label-as-returned",
        "filters-of-a-tag-as-returned",
      ],
    },
  ],
  ["default-ip-version", { rows: ["default-ip-version"] }],
  ["no-path-trace", { rows: ["default-path-trace"] }],
  ["lag list-lag get-lag new-lag update-lag delete-lag", { rows: ["reads-after-writes"] }],
  ["reversed-lists repeated-records", { rows: ["order-of-lists"] }],
  ["list-without-filters", { rows: ["filters-in-a-list-of-tags", "members-of-labels", "members-of-tags"] }],
  ["list-summaries", { rows: [...members, "filters-in-a-list-of-tags"] }],
  ["extra-records", { rows: ["label-pages", "listed-labels"] }],
  ["empty-next-links", { rows: ["aid-in-links", "label-pages"] }],
  ["enabled-ignored", { rows: ["patch-of-is-enabled"] }],
  ["gzip deflate br chunked byte-order-mark", { rows: ["framing-of-answers"] }],
  ["type-json type-charset", { rows: ["framing-of-answers", "quality-of-accept"] }],
  ["type-vendor", { rows: ["framing-of-answers", "quality-of-accept"], operations: "any" }],
  [
    "rate-limited-once rate-limited-bare reads-503-once updates-502-once deletes-500-once",
    { rows: ["refusals-without-a-reason"] },
  ],
  ["account-groups-403", { rows: ["list-of-account-groups"] }],
  [
    "mute-400 bare-400 titled-400 word-400 listed-400 forbidden-400 forbidden-403 role-500",
    { rows: ["limit-missing-members"], operations: ["create"] },
  ],
];

export const detectedBy: Readonly<Record<string, Detection>> = Object.fromEntries(
  groups.flatMap(([names, detection]) => names.split(" ").map((name) => [name, detection])),
);

const noRow = "no row compares this value with the declared one";

/** The reason why no check can detect a variation. */
export const undetectable: Readonly<Record<string, string>> = {
  slow: "no times are stated, so no response is late",
  "selector-in-capitals": noRow,
  "more-labels": noRow,
  "masked-username": noRow,
  "short-username": noRow,
  "application-in-capitals": noRow,
};
