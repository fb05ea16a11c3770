#!/usr/bin/env bash
# What the jobs of all pipelines run, in the folder of a Pulumi project. With the secrets of the service and the backend:
#
#   run.sh review      mistakes of the program, else what merging would do, and the approval of that
#   run.sh rehearse    the same update on a copy of the account: what would fail
#   run.sh up          applies what was approved, then the tests that it changed measure once
#   run.sh drift       what differs in the service
#
# With the token of the forge alone:
#
#   run.sh comment     review and rehearsal as the comment on the pull (merge) request
#   run.sh approval    finds the approval of the pull (merge) request that was merged
#   run.sh issue       drift as an issue, which is closed when nothing differs any more
#   run.sh pull-request    drift as a pull (merge) request, which is closed when nothing differs any more
#
# With neither: run.sh install, which runs INSTALL (npm ci); run.sh names, which passes on how to name what belongs together.
#
# From the environment: STACK (drift: none is every stack), REPORTS (folder for what one job passes on to the next), FAIL_ON (what a
# review ends with 2 for, beside the address), APPROVED (name of the artifact with the approval, which ends with its digest), REACH_TOLERANCE (agents by which an update may differ from what was approved), OVERRIDE_REASON (applies
# without an approval), VERIFY (false: none after an update), DRIFT (pull-request: as one, rather than as an issue), OPTIONS (more
# options of review, verify or drift).
# Exit codes: 0 done; 2 done, and it found what it looks for; 3 no test was measured, or too little; anything else failed.
set -euo pipefail
set -f # OPTIONS is split into words, and nothing else

mode=${1:-}
ci=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
reports=${REPORTS:-${RUNNER_TEMP:-$PWD}/endpoint-monitoring-reports}
project=$(sed -n 's/^name: *//p' Pulumi.yaml | tr -d "\"'")
stacks=${STACK:-all stacks}
# Of texts that the forge names things by.
slug=$(tr -c 'A-Za-z0-9.@\n' - <<<"$project@${STACK:-all}")
branch=endpoint-monitoring/drift-$slug
code=0

# Runs a command with those variables alone whose names match: a variable that nobody thought of stays out.
only() (
  pattern="^(PATH|HOME|USER|SHELL|TMPDIR|TEMP|TMP|TERM|LANG|LC_[A-Z]+|CI|[a-zA-Z]+_(proxy|PROXY)|NODE_.*|SSL_CERT_.*|$1)$"
  shift
  for name in $(compgen -e); do
    if ! [[ $name =~ $pattern ]]; then unset "$name"; fi
  done
  exec "$@"
)

# The forge's side: it gets the token of the forge, and nothing of the service and the backend.
forge() {
  only 'GITHUB_.*|GITLAB_TOKEN|CI_.*|GIT_.*' node "$ci/forge.mjs" "$@"
}

# The command that is installed here: where it is not, `npx` would fetch whatever package has its name. It runs the program.
find-package() {
  local installed='require("module").createRequire(process.cwd() + "/_").resolve("pulumi-endpoint-monitoring/package.json")'
  package=$(node -p "$installed" 2>/dev/null) || {
    echo "pulumi-endpoint-monitoring is not installed in $PWD: npm install pulumi-endpoint-monitoring" >&2
    exit 1
  }
}

endpoint-monitoring() {
  echo "\$ endpoint-monitoring $*" >&2
  node "$(dirname "$package")/dist/cli/main.js" "$@"
}

# Runs the command that writes the report. Its exit code goes to `code`; a report is on the page of the run, too.
reporting() {
  rm -f "$report"
  endpoint-monitoring "$@" ${STACK:+--stack "$STACK"} --markdown "$report" || code=$?
  summarize
}

summarize() {
  if [ ! -s "$report" ]; then return 0; fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
  if [ -n "${TF_BUILD:-}" ]; then echo "##vso[task.uploadsummary]$report"; fi
}

digest() {
  node -p 'require("crypto").createHash("sha256").update(fs.readFileSync(process.argv[1])).digest("hex")' "$1"
}

# Commit of the branch that a pull (merge) request goes to. GitHub and Azure check out what a merge would give.
target() {
  if [ "${GITHUB_EVENT_NAME:-}" = pull_request ] || [ "${BUILD_REASON:-}" = PullRequest ]; then
    echo 'HEAD^1'
  else
    echo "${CI_MERGE_REQUEST_DIFF_BASE_SHA:-${BITBUCKET_PR_DESTINATION_COMMIT:-}}"
  fi
}

# Passes a value on to the next steps and jobs of GitHub.
output() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "$1=$2" >>"$GITHUB_OUTPUT"; fi
}

# Commits the files into which drift was accepted on the branch, in a bundle, and leaves what is checked out as it was. The same drift of
# the same program is the same commit, whenever it is made.
propose() {
  local files tree commit when
  if [ ! -s "$reports/drift.json" ]; then return 0; fi
  files='JSON.parse(fs.readFileSync(process.argv[1], "utf8")).data?.accepted?.files.join("\n") ?? ""'
  files=$(node -p "$files" "$reports/drift.json")
  if [ -z "$files" ]; then return 0; fi
  export GIT_INDEX_FILE=$reports/drift.index
  git read-tree HEAD
  git add --pathspec-from-file=- <<<"$files"
  tree=$(git write-tree)
  unset GIT_INDEX_FILE
  git checkout --quiet HEAD --pathspec-from-file=- <<<"$files"
  when=$(git log -1 --format=%cI)
  commit=$(
    export GIT_AUTHOR_NAME=endpoint-monitoring GIT_AUTHOR_EMAIL=endpoint-monitoring@localhost GIT_AUTHOR_DATE=$when
    export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL GIT_COMMITTER_DATE=$when
    git commit-tree "$tree" -p HEAD -m "Accept drift: $project $stacks" -m "The program declares what the service holds."
  )
  git update-ref "refs/heads/$branch" "$commit"
  git bundle create --quiet "$reports/drift.bundle" "HEAD..$branch"
}

# All mistakes of the program, which go into the report: a preview stops at the first one. What keeps the program from running at all is
# reported by the preview.
is_valid() {
  local result=0 mistakes
  mistakes=$(endpoint-monitoring validate ${STACK:+--stack "$STACK"}) || result=$?
  if [ -n "$mistakes" ]; then echo "$mistakes"; fi
  if [ "$result" != 2 ]; then return 0; fi
  {
    printf '**The program has mistakes**, so nothing was previewed.\n\n'
    # Indented, it is text to Markdown, whatever the program says.
    echo "$mistakes" | sed 's/^/    /'
  } >"$report"
  summarize
  return 1
}

case $mode in
  review | rehearse | up | drift)
    # The program runs here, and it has nothing to do with the forge.
    unset GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN CI_JOB_TOKEN CI_JOB_JWT CI_REGISTRY_PASSWORD CI_DEPENDENCY_PROXY_PASSWORD \
      CI_DEPLOY_PASSWORD CI_REPOSITORY_URL SYSTEM_ACCESSTOKEN BITBUCKET_STEP_OIDC_TOKEN
    report=$reports/$mode.md
    find-package
    ;;
  install | names | comment | approval | issue | pull-request) ;;
  *)
    echo "run.sh takes install, review, rehearse, comment, approval, up, drift, issue or pull-request, not \"$mode\"" >&2
    exit 1
    ;;
esac
if [ -n "$(git ls-files -- "$reports" 2>/dev/null || true)" ]; then
  echo "$reports is a part of the repository, so a report in it may be of anybody: delete it there." >&2
  exit 1
fi
mkdir -p "$reports"
approval=$reports/approval-$slug.json

case $mode in
  names)
    output slug "$slug"
    ;;
  install)
    # Whatever a package runs while it is installed sees no secret, except for those of registries.
    only 'npm_config_.*|NPM_.*|YARN_.*|PNPM_.*|COREPACK_.*|CI_JOB_TOKEN' bash -c "${INSTALL:-npm ci}"
    ;;
  review)
    # A service that cannot be asked leaves gaps in a review: it is written all the same, the job is red, and nothing is approved.
    rm -f "$approval" "$report"
    base=$(target)
    if is_valid; then
      reporting review ${base:+--base "$base"} ${FAIL_ON:+--fail-on "$FAIL_ON"} ${OPTIONS:-} --approval "$approval"
      # Only then: a review stops before anything is sent where the address is not the one that is known.
      if [ "$code" != 2 ]; then endpoint-monitoring check ${STACK:+--stack "$STACK"} || code=1; fi
    else
      code=1
    fi
    # An older review must not stay there as if it were of this commit.
    if [ ! -s "$report" ]; then echo "**The review failed.** The log of the job says why." >"$report"; fi
    if [ "$code" != 0 ] && [ "$code" != 2 ]; then rm -f "$approval"; fi
    if [ -s "$approval" ]; then output approval "endpoint-monitoring-approval-$slug-$(digest "$approval")"; fi
    ;;
  rehearse)
    reporting rehearse
    if [ "$code" != 0 ] && [ ! -s "$report" ]; then echo "**The rehearsal failed.** The log of its job says why." >"$report"; fi
    ;;
  comment)
    if [ ! -s "$reports/review.md" ]; then echo "**The review failed.** The log of the job says why." >"$reports/review.md"; fi
    for part in review rehearse; do
      if [ -s "$reports/$part.md" ]; then printf '%s\n\n' "$(cat "$reports/$part.md")"; fi
    done >"$reports/comment.md"
    forge comment "review $project $stacks" "$reports/comment.md"
    ;;
  approval)
    forge approval "endpoint-monitoring-approval-$slug" "$approval"
    ;;
  up)
    if [ -n "${OVERRIDE_REASON:-}" ]; then
      who=${GITHUB_ACTOR:-${GITLAB_USER_LOGIN:-${BUILD_REQUESTEDFOR:-${BITBUCKET_STEP_TRIGGERER_UUID:-$(whoami)}}}}
      printf '**Override:** %s applies without an approval. Reason: %s\n\n' "$who" "$OVERRIDE_REASON" | tee "$report"
      summarize
    elif [ ! -s "$approval" ]; then
      echo "There is no approval in $approval: a review writes it." >&2
      exit 1
    fi
    endpoint-monitoring check ${STACK:+--stack "$STACK"} || exit 1
    if [ -n "${OVERRIDE_REASON:-}" ]; then
      # What is overridden is what would happen now, which is on record by that.
      reporting review --approval "$approval"
      if [ "$code" = 0 ]; then reporting apply --approved "$approval" --override "$who: $OVERRIDE_REASON"; fi
    else
      # The file is the one whose digest was in the name of the artifact.
      reporting apply --approved "$approval" ${APPROVED:+--approved "sha256:${APPROVED##*-}"} ${REACH_TOLERANCE:+--reach-tolerance "$REACH_TOLERANCE"}
    fi
    if [ "$code" = 2 ]; then
      echo "This is not what was approved, so nothing was applied. Review again what would happen now, as README.md beside run.sh says."
    fi
    if [ "$code" = 0 ] && [ "${VERIFY:-true}" != false ]; then
      report=$reports/verify.md
      reporting verify --require-tests ${OPTIONS:-}
    fi
    ;;
  drift)
    rm -f "$reports/drift.found" "$reports/drift.json" "$reports/drift.bundle"
    every=${STACK:+ }
    every=${every:---all-stacks}
    if [ "${DRIFT:-issue}" = pull-request ]; then
      reporting drift $every ${OPTIONS:-} --accept --keep-state --json >"$reports/drift.json"
      cat "$report" 2>/dev/null || cat "$reports/drift.json"
      propose
    else
      reporting drift $every ${OPTIONS:-}
    fi
    case $code in 0) echo false ;; 2) echo true ;; esac >"$reports/drift.found"
    ;;
  issue | pull-request)
    if [ ! -s "$reports/drift.found" ]; then
      echo "The job drift failed, so nothing is reported: its log says why." >&2
      exit 1
    fi
    key="drift $project $stacks" title="Drift: $project $stacks" bundle=$reports/drift.bundle
    # What stands in a pull request needs no issue.
    if [ "$mode" = issue ]; then
      if [ "$(cat "$reports/drift.found")" = true ] && [ ! -s "$bundle" ]; then
        forge issue "$key" "$reports/drift.md" "$title"
      else
        forge resolved "$key"
      fi
    elif [ -s "$bundle" ]; then
      forge pull-request "$key" "$reports/drift.md" "$title" "$branch" "$bundle"
    else
      forge withdrawn "$key" "$branch"
    fi
    ;;
esac
output found "$([ "$code" = 2 ] && echo true || echo false)"
exit "$code"
