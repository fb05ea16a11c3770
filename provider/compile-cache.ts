import { enableCompileCache } from "node:module";
import { privateFolder } from "./private-folder";

// The engine starts a process for each operation, which loads the same modules. Node runs whatever the cache holds in place of our files:
// so it is in a folder that nobody else can write, or off.
try {
  enableCompileCache?.(privateFolder("compiled", ["XDG_CACHE_HOME"]));
} catch {
  // Without the cache a process only starts more slowly.
}
