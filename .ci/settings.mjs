/**
 * Checks the repository's settings at GitHub, which no file of the repository can set: `node .ci/settings.mjs`, with
 * GITHUB_REPOSITORY and GH_TOKEN, a token that may read the settings. It changes nothing.
 */
const { GITHUB_API_URL: api = "https://api.github.com", GITHUB_REPOSITORY: repository, GH_TOKEN: token } = process.env;

/** @returns the response; an empty object if GitHub refuses to return it */
async function get(path) {
  const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
  const answer = await fetch(`${api}/repos/${repository}${path}`, { headers, redirect: "error" });
  if (answer.status === 401) throw new Error("GH_TOKEN is not a GitHub token");
  return answer.ok ? answer.json() : {};
}

const types = (rules) => (Array.isArray(rules) ? rules : []).map(({ type }) => type);
const has = (found, wanted) => wanted.every((one) => found.includes(one));

async function tagRules() {
  const summaries = await get("/rulesets?includes_parents=true&per_page=100");
  const tags = (Array.isArray(summaries) ? summaries : []).filter(
    ({ target, enforcement }) => target === "tag" && enforcement === "active",
  );
  const whole = await Promise.all(tags.map(({ id }) => get(`/rulesets/${id}`)));
  const covering = whole.filter(({ conditions }) =>
    conditions?.ref_name?.include?.some((ref) => ["refs/tags/v*", "~ALL"].includes(ref)),
  );
  return covering.flatMap(({ rules }) => types(rules));
}

/** Required settings, with their pages in the UI and their checks. tools/release/README.md has the same list. */
export const settings = [
  {
    what: "The environment npm has required reviewers",
    where: "Settings > Environments > npm",
    isSet: async () => has(types((await get("/environments/npm")).protection_rules), ["required_reviewers"]),
  },
  {
    what: "Only `v*` tags can deploy to the environment npm",
    where: "Settings > Environments > npm > Deployment branches and tags",
    isSet: async () => {
      const { branch_policies: all = [] } = await get("/environments/npm/deployment-branch-policies");
      return all.length > 0 && all.every(({ type, name }) => type === "tag" && name === "v*");
    },
  },
  {
    what: "Only maintainers can create, move and delete `v*` tags",
    where: "Settings > Rules > Rulesets, target tags v*",
    isSet: async () => has(await tagRules(), ["creation", "update", "deletion"]),
  },
  {
    what: "Changes to main require a reviewed pull request, and the history of main cannot be rewritten",
    where: "Settings > Rules > Rulesets, target main",
    isSet: async () => {
      const rules = await get("/rules/branches/main");
      const isReviewed = (rule) => rule.type === "pull_request" && rule.parameters?.required_approving_review_count > 0;
      return has(types(rules), ["non_fast_forward", "deletion"]) && rules.some(isReviewed);
    },
  },
  {
    what: "By default, workflow tokens have only read access",
    where: "Settings > Actions > General > Workflow permissions",
    isSet: async () => (await get("/actions/permissions/workflow")).default_workflow_permissions === "read",
  },
  {
    what: "Users can report vulnerabilities privately",
    where: "Settings > Advanced Security > Private vulnerability reporting",
    isSet: async () => (await get("/private-vulnerability-reporting")).enabled === true,
  },
];

try {
  if (!repository || !token) throw new Error("GITHUB_REPOSITORY and GH_TOKEN have to be set");
  for (const { what, where, isSet } of settings) {
    const isDone = await isSet();
    if (!isDone) process.exitCode = 2;
    console.log(isDone ? `✓ ${what}` : `✗ ${what}\n  → ${where}`);
  }
} catch (error) {
  console.error(`settings: ${error.message}`);
  process.exitCode = 1;
}
