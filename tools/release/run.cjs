/** Makes the files of a release from the sources: `npm run release`. */
require("../../test/setup/typescript.cjs");
require("./make.ts");
