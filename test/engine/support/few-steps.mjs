// Loaded before the demo (--import): it then has its first and its last step alone, where the others are not what is tested.
import { registerHooks } from "node:module";

const fewer = "\nsteps.splice(1, steps.length - 2);\n";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return url.endsWith("/engine/demo/steps.mjs") ? { ...loaded, source: String(loaded.source) + fewer } : loaded;
  },
});
