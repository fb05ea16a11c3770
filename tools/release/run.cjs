/** `npm run release` runs this file, which makes a release from the TypeScript sources. */
require("../../test/setup/typescript.cjs");
require("./make.ts");
