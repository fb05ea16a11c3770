/** The guides by what people do, in the order in which they do it. A page of docs/ that is in no list is in the section Reference. */
export const guides = {
  "Get started": ["docs/get-started.md", "docs/import.md", "docs/comparison.md"],
  Declare: ["docs/declare.md", "docs/testing.md", "docs/refactor.md", "docs/accounts.md"],
  Review: ["docs/review.md", "docs/rehearsal.md", "docs/policy.md"],
  Approve: ["docs/approval.md"],
  Reconcile: ["docs/drift.md", "docs/recovery.md"],
  Gate: ["docs/gate.md"],
  Migrate: ["docs/migrate-labels.md"],
  Operate: [
    "docs/troubleshooting.md",
    "docs/values.md",
    "docs/network.md",
    "docs/upgrade.md",
    "docs/large-accounts.md",
    "docs/debugging.md",
    "docs/security.md",
    "docs/reliability.md",
    "docs/versions.md",
  ],
  Reference: [
    "docs/commands.md",
    "docs/settings.md",
    "docs/errors.md",
    "docs/functions.md",
    "docs/options.md",
    "docs/native.md",
    "docs/languages.md",
    "docs/recipes.md",
  ],
};

/** Long pages that are generated, and facts: few readers read them as a whole. */
export const details = [
  "docs/api.md",
  "docs/emulator.md",
  "docs/records.md",
  "docs/performance.md",
  "docs/service-differences.md",
  "docs/service/README.md",
];

/** Orders the pages of docs/ by section. @param {string[]} pages paths, such as docs/drift.md */
export function inSections(pages) {
  const listed = new Set([...Object.values(guides).flat(), ...details]);
  const others = pages.filter((page) => !listed.has(page)).toSorted((a, b) => a.localeCompare(b));
  const sections = Object.entries(guides).map(([name, paths]) => [name, name === "Reference" ? [...paths, ...others] : paths]);
  return [...sections, ["Details", details]].map(([name, paths]) => [name, paths.filter((path) => pages.includes(path))]);
}
