import fc from "fast-check";
import { bothSecrets, hasOtherSecret, received, type SecretParts, secretTexts, written } from "../../plugin/values";

const { parts } = fc.letrec<{ parts: SecretParts }>((tie) => ({
  parts: fc.oneof(
    { maxDepth: 2 },
    fc.constant(true as const),
    fc.dictionary(fc.constantFrom("a", "b"), tie("parts"), { minKeys: 1 }),
  ),
}));
const optional = fc.option(parts, { nil: undefined });
const leaf = (path: string): unknown => ({ a: `text-${path}a`, b: `text-${path}b` });
const properties = { a: { a: leaf("aa"), b: leaf("ab") }, b: { a: leaf("ba"), b: leaf("bb") } };

test("the union of two sets of secret properties contains the properties of both sets", () => {
  const texts = (secrets: SecretParts | undefined): string[] => secretTexts({ properties, secrets });
  fc.assert(
    fc.property(optional, optional, (first, other) => {
      const union = new Set([...texts(first), ...texts(other)]);
      expect(new Set(texts(bothSecrets(first, other)))).toEqual(union);
    }),
    { numRuns: 500 },
  );
});

test("the plugin detects secrets in properties that are not always secret", () => {
  expect(hasOtherSecret(undefined, [])).toBe(false);
  expect(hasOtherSecret({ password: true }, ["password"])).toBe(false);
  expect(hasOtherSecret({ password: true, filters: { values: true } }, ["password"])).toBe(true);
  const whole = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: { password: "s3cret" } };
  expect(hasOtherSecret(received(whole).secrets, ["password"])).toBe(true);
});

const key = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

test("the plugin marks each returned property as secret if the inputs are one secret object", () => {
  const { properties: plain, secrets } = received({ [key]: secretMark, value: { name: "Office", filters: ["a"] } });
  expect(written(plain, bothSecrets(secrets, { name: true }))).toEqual({
    name: { [key]: secretMark, value: "Office" },
    filters: { [key]: secretMark, value: ["a"] },
  });
});

test.each([secretMark, "5cf8f73096256a8f31e491e813e4eb8e"])(
  "the plugin rejects an object with the secret signature %s but without a value, at any nesting depth",
  (mark) => {
    for (const wire of [{ [key]: mark }, { a: { [key]: mark } }, { a: [{ [key]: mark, other: 1 }] }])
      expect(() => received(wire)).toThrow("does not contain the value");
  },
);

test("the plugin writes a completely secret object as one secret", () => {
  expect(written({ headers: { authorization: "s3cret" } }, { headers: true })).toEqual({
    headers: { [key]: secretMark, value: { authorization: "s3cret" } },
  });
});

test("the plugin marks each secret member of an object separately", () => {
  const secrets = { headers: { authorization: true } } as const;
  const mark = (value: unknown): object => ({ [key]: secretMark, value });
  expect(written({ headers: { authorization: "s3cret", accept: "json" } }, secrets)).toEqual({
    headers: { authorization: mark("s3cret"), accept: "json" },
  });
  for (const headers of ["authorization: s3cret", ["s3cret"], 7])
    expect(written({ headers }, secrets)).toEqual({ headers: mark(headers) });
});
