import { enableCompileCache } from "node:module";

// The engine starts a process for each operation, which loads the same modules. A Node without the cache only starts more slowly.
enableCompileCache?.();
