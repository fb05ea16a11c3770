import { enableCompileCache } from "node:module";
import { privateFolder } from "./private-folder";

// The engine starts a provider process for each operation, and a cache of compiled code lets each process start faster. Node
// runs the cached code, so only the user may have write access to the cache folder.
try {
  enableCompileCache?.(privateFolder("compiled", ["XDG_CACHE_HOME"]));
} catch {
  // The cache is optional: without a usable cache folder, Node compiles the modules at each start.
}
