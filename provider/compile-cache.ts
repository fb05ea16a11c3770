import { enableCompileCache } from "node:module";
import { privateFolder } from "./private-folder";

// Enables Node's cache of compiled code. The engine starts a provider process for each operation, and the cache makes each start faster.
// Node runs the cached code, so no other user may have write access to the cache folder.
try {
  enableCompileCache?.(privateFolder("compiled", ["XDG_CACHE_HOME"]));
} catch {
  // The cache is optional: without a usable cache folder, Node compiles the modules at each start.
}
