/** Random tests run in full length: see `amount` in test/support/amount.ts. */
process.env.TEST_LONG = "1";
