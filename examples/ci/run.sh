#!/usr/bin/env bash
# What all pipelines run, in the folder of a Pulumi project whose packages are installed:
#
#   run.sh review    mistakes of the program, else what merging would do, as a comment on the pull (merge) request
#   run.sh up        pulumi up, then the tests that it changed measure once
#   run.sh drift     what differs in the service, as an issue that is closed when nothing does any more
#
# From the environment: STACK (drift: none is every stack), FAIL_ON (what a review ends with 2 for), OPTIONS (more options of
# review, verify or drift), VERIFY (false: none after an up), REPORT (file for the Markdown).
# Exit codes: 0 done; 2 done, and it found what it looks for; anything else failed.
set -euo pipefail
set -f # OPTIONS is split into words, and nothing else

mode=${1:-}
ci=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
report=${REPORT:-$(mktemp)}
rm -f "$report"
key="$mode $(sed -n 's/^name: *//p' Pulumi.yaml | tr -d "\"'") ${STACK:-all stacks}"

# The command that is installed here: where it is not, `npx` would fetch whatever package has its name.
installed='require("module").createRequire(process.cwd() + "/_").resolve("pulumi-endpoint-monitoring/package.json")'
package=$(node -p "$installed" 2>/dev/null) || {
  echo "pulumi-endpoint-monitoring is not installed in $PWD: npm install pulumi-endpoint-monitoring" >&2
  exit 1
}

endpoint-monitoring() {
  echo "\$ endpoint-monitoring $*"
  node "$(dirname "$package")/dist/cli/main.js" "$@"
}

forge() {
  node "$ci/forge.mjs" "$@"
}

# Runs the command that writes the report. Its exit code goes to `code`; a report is on the page of the run at GitHub, too.
code=0
reporting() {
  endpoint-monitoring "$@" ${STACK:+--stack "$STACK"} ${OPTIONS:-} --markdown "$report" || code=$?
  summarize
}

summarize() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$report" ]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
}

# All mistakes of the program, which go into the report: a preview stops at the first one. What keeps the program from running at all is
# reported by the preview.
is_valid() {
  local result=0 mistakes
  mistakes=$(endpoint-monitoring validate ${STACK:+--stack "$STACK"}) || result=$?
  echo "$mistakes"
  if [ "$result" != 2 ]; then return 0; fi
  {
    printf '**The program has mistakes**, so nothing was previewed.\n\n'
    # Indented, it is text to Markdown, whatever the program says.
    echo "$mistakes" | sed '1d; s/^/    /'
  } >"$report"
  summarize
  return 1
}

case $mode in
  review)
    # A service that cannot be asked leaves gaps in a review: it is written all the same, and the job is red.
    ready=true
    endpoint-monitoring check ${STACK:+--stack "$STACK"} || ready=false
    if is_valid; then reporting review ${FAIL_ON:+--fail-on "$FAIL_ON"}; else code=1; fi
    # An older review must not stay there as if it were of this commit.
    if [ ! -s "$report" ]; then echo "**The review failed.** The log of the job says why." >"$report"; fi
    forge comment "$key" "$report"
    if [ $ready = false ]; then code=1; fi
    ;;
  up)
    endpoint-monitoring check ${STACK:+--stack "$STACK"} || exit 1
    pulumi up --yes --skip-preview --non-interactive ${STACK:+--stack "$STACK"}
    if [ "${VERIFY:-true}" != false ]; then reporting verify; fi
    ;;
  drift)
    reporting drift
    if [ "$code" = 2 ]; then forge issue "$key" "$report" "Drift: ${key#drift }"; fi
    if [ "$code" = 0 ]; then forge resolved "$key"; fi
    ;;
  *)
    echo "run.sh takes review, up or drift, not \"$mode\"" >&2
    exit 1
    ;;
esac
exit "$code"
