/** Runs random tests in full length: see `amount` in test/support/amount.ts. */
process.env.TEST_LONG = "1";
