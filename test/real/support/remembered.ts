import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The PATH at the start of this test file. A test that puts its own engine before it counts calls, or answers them. */
const pathAtFirst = process.env["PATH"];

/** Folders of the backend, and of Pulumi's home. */
interface Places {
  backend: string;
  home: string;
}
const besides: Places = { backend: "$PWD/backend", home: "home" };

/**
 * A wrapper that does not start the real engine a second time for the same read. Commands run the engine several times to
 * list stacks, decrypt settings or export the state, at a fifth of a second of CPU time. A response is repeated while the
 * arguments, the engine's settings, the files of project and stacks, and the names of history and locks are the same.
 * Failures, warnings, and calls in another folder or on another backend are not repeated.
 */
const scriptFor = ({ backend, home }: Places): string => `#!/bin/sh
own=\${0%/*}
PATH=\${PATH%%"$own":*}\${PATH#*"$own":}
case "$1 $2 $3" in
"version "* | "whoami "* | "stack ls "* | "stack export "* | "stack history "* | "stack tag ls" | "config --json "*) ;;
*) exec pulumi "$@" ;;
esac
case "$* " in *" --file "*) exec pulumi "$@" ;; esac
[ "$PULUMI_BACKEND_URL" = "file://${backend}" ] || exec pulumi "$@"
key=$({
  printf '%s\\n' "$*"
  env | grep -E '^(PULUMI|VAULT)_'
  find "${backend}/.pulumi" "${home}/workspaces" -type f
  cat Pulumi*.* "${home}"/workspaces/* "${backend}"/.pulumi/stacks/*/*
} 2>&1 | cksum)
answer="$own/$key"
if [ -f "$answer" ]; then exec cat "$answer"; fi
draft="$own/$$"
pulumi "$@" >"$draft" 2>"$draft.err"
code=$?
cat "$draft"
cat "$draft.err" >&2
if [ $code = 0 ] && ! [ -s "$draft.err" ]; then mv "$draft" "$answer"; fi
rm -f "$draft" "$draft.err"
exit $code
`;

/**
 * Returns the PATH of a stack's commands.
 *
 * @param folder for the script and the responses, outside of the stack's folders, in which tests search for secrets
 * @param places of the stack, which a shell reads in the folder of the project
 */
export function rememberingPath(folder: string, places: Places = besides): string | undefined {
  const path = process.env["PATH"];
  if (path !== pathAtFirst || path === undefined) return path;
  // Written once, because a shell reads its script while it runs.
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "pulumi"), scriptFor(places), { mode: 0o755 });
  }
  return [folder, path].join(delimiter);
}
