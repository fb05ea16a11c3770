import { enableCompileCache } from "node:module";
import { privateFolder } from "./private-folder";

// The engine starts a process for each operation, and each process loads the same modules. Node runs the compiled code in the
// cache. So other users must not be able to write to the folder of the cache.
try {
  enableCompileCache?.(privateFolder("compiled", ["XDG_CACHE_HOME"]));
} catch {
  // Without the cache, a process starts more slowly.
}
