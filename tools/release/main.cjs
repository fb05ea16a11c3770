// The first file that the plugin of an archive runs. The cache is there before the bundle is loaded, so the bundle comes from it.
require("../../dist/provider/compile-cache.js");
require("./plugin.js");
