// An archive's plugin starts with this file. The compile cache must be set up before the bundle is loaded, so that the cache
// contains the bundle.
require("../../dist/provider/compile-cache.js");
require("./plugin.js");
