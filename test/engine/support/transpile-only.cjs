// Loaded into each Node process (--require): programs in TypeScript are not checked, by a variable that the demo keeps from the engine.
process.env.PULUMI_NODEJS_TRANSPILE_ONLY ??= "true";
