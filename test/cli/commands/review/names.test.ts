import { phraseText } from "../../../../common/phrase";
import { patternOf, rangeOf, sharedName } from "../../../../cli/commands/review/names";

test.each<[names: string[], text: string | undefined]>([
  [["erp-site-01", "erp-site-02"], "erp-site-*"],
  [["build-site-40", "chat-site-40"], "*-site-40"],
  [["portal"], "portal"],
  [["portal", "vpn"], undefined],
  [["a-b", "a-b-b"], "a-b*"],
])("`review` summarizes the names %j as %j", (names, text) => {
  expect(patternOf(names)?.text).toBe(text);
});

test("`review` treats a star in a resource name as a literal character, not as a wildcard", () => {
  expect(patternOf(["a*"])?.matches("ab")).toBe(false);
  const pattern = patternOf(["x*-1", "x*-2"]);
  expect([pattern?.matches("x*-3"), pattern?.matches("xy-3")]).toEqual([true, false]);
});

test("`review` shows names as a range only if the range has at most three exceptions", () => {
  const sites = Array.from({ length: 9 }, (_, at) => `site-${at}`);
  expect(phraseText(rangeOf(sites, []))).toBe("site-0 … site-8");
  expect(phraseText(rangeOf(["site-0", "site-2"], ["site-1"]))).toBe("site-0 … site-2 except site-1");
  expect(phraseText(rangeOf(["a-40", "b-40"], ["a-41", "a-42", "a-43", "a-44"]))).toBe("*-40");
  expect(phraseText(rangeOf(["site-0", "site-5"], sites.slice(1, 5)))).toBe("site-0, site-5");
});

test("the review never shows a name pattern that also matches resources outside the list", () => {
  const names = ["hr-1", "hr-2"];
  expect(phraseText(sharedName(names, ["crm-1"]))).toBe("hr-*");
  expect(phraseText(sharedName(names, ["hr-3"]))).toBe("hr-1 … hr-2");
  expect(phraseText(sharedName(["hr-1", "hr-3"], ["hr-2"]))).toBe("");
});
