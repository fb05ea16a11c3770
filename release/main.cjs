// The first file that the plugin of an archive runs. The engine starts a process for each operation, which loads the same bundle.
require("node:module").enableCompileCache();
require("./plugin.js");
