// Loaded into each Node process (--require): skips the check of programs in TypeScript by a variable that the demo hides from
// the engine.
process.env.PULUMI_NODEJS_TRANSPILE_ONLY ??= "true";
