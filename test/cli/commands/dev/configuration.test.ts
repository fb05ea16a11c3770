import { SessionConfiguration } from "../../../../cli/commands/dev/configuration";

const missing = (key: string) =>
  `The program failed:\nMissing required configuration variable '${key}'\n    please set a value`;
const refused = (key: string, value: string) => `Error: Configuration '${key}' value '${value}' is not a valid boolean`;

test("`dev` tries a second placeholder for a missing value if the program refuses the first", () => {
  const configuration = new SessionConfiguration("office");
  const failures = [missing("office:retries"), refused("office:retries", "placeholder"), refused("office:retries", "1")];
  expect(failures.map((failure) => configuration.complete(failure))).toEqual([true, true, true]);
  expect(configuration.newPlaceholders()).toEqual([["office:retries", "true"]]);
  expect(configuration.newPlaceholders()).toEqual([]);
  expect(configuration.addTo({})).toEqual({ config: { "office:retries": "true" } });
});

test("`dev` stops trying placeholders if the program refuses all of them", () => {
  const configuration = new SessionConfiguration("office");
  configuration.complete(missing("office:mode"));
  let tries = 1;
  while (configuration.complete(refused("office:mode", "x"))) tries += 1;
  expect(tries).toBe(4);
});

test("`dev` never replaces a user's configuration value with a placeholder", () => {
  const configuration = new SessionConfiguration("office");
  configuration.setAll(["retries=many"]);
  expect(configuration.complete("Cannot find module 'Configuration'")).toBe(false);
  expect(configuration.complete(refused("office:retries", "many"))).toBe(false);
  expect(configuration.complete(refused("office:inStackFile", "many"))).toBe(false);
});

test("`dev --config` overrides only the named configuration values", () => {
  const configuration = new SessionConfiguration("office");
  configuration.setAll(["password=a=b", "other:key="]);
  const settings = { encryptionsalt: "v1:…", config: { password: { secure: "…" }, "office:region": "emea", list: ["a"] } };
  expect(configuration.addTo(settings)).toEqual({
    encryptionsalt: "v1:…",
    config: { "office:password": "a=b", "office:region": "emea", "office:list": ["a"], "other:key": "" },
  });
  expect(() => configuration.setAll(["password"])).toThrow('--config requires KEY=VALUE, not "password"');
});
