import { enableCompileCache } from "node:module";
import { privateFolder } from "./private-folder";

// The engine starts a process for each operation, and each loads the same modules. Node runs the cache's content in place of
// our files. So the cache is in a folder that only this user can write to. Without such a folder there is no cache.
try {
  enableCompileCache?.(privateFolder("compiled", ["XDG_CACHE_HOME"]));
} catch {
  // Without the cache, a process starts more slowly, but works.
}
