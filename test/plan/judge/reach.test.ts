/** Compares every number in reviews of random changes with maxMachines with an independent count. */
import { paths } from "../../emulator/support";
import { useEmulator } from "../../support/emulator";
import { amount, random, seed } from "../../support/amount";
import { reviewed, step, toMarkdown } from "../../cli/review-support";

/** A text without the number of agents seen within the hour. `reach-findings.test.ts` tests that number. */
const withoutSeen = (text: string): string => text.replaceAll(/ \(\d+ seen within the hour\)/g, "");

const platforms = ["Windows", "Mac", "RoomOS", "Nobody"] as const;
const changes = amount(12, 200);
const first = seed(1);

const emulator = useEmulator({ agents: 90 });
let enabled: { id: string; platform: string }[];
beforeAll(async () => {
  const { agents } = (await emulator.call("GET", "/v7/endpoint/agents?aid=1001&max=1000")) as unknown as {
    agents: { id: string; platform: string; status: string }[];
  };
  enabled = agents.filter(({ status }) => status === "enabled");
});

/** Ids of agents on some platforms. */
const on = (names: readonly string[]): string[] =>
  enabled.filter(({ platform }) => names.some((name) => name.toLowerCase() === platform)).map(({ id }) => id);
const without = (all: readonly string[], excluded: readonly string[]): number =>
  all.filter((id) => !excluded.includes(id)).length;
const label = (names: readonly string[]) => ({
  name: "L",
  matchType: "or",
  filters: [{ key: "platform", values: [...names] }],
});

/** `25 of 40`, or only the number if every selected agent runs the test. */
const side = (selected: number, max: number): string => (selected > max ? `${max} of ${selected}` : `${selected}`);

test(`the review counts agents correctly in ${changes} random changes from seed ${first}`, async () => {
  const seen = { chosen: 0, certain: 0, none: 0, ofTest: 0 };
  for (let n = 0; n < changes; n += 1) {
    const dice = random(first + n);
    const sample = (): string[] => {
      const chosen = platforms.filter(() => dice() < 0.45);
      return chosen.length > 0 ? chosen : ["Windows"];
    };
    const [before, after] = [sample(), sample()];
    const [maxBefore, maxAfter] = [1 + Math.floor(dice() * 45), 1 + Math.floor(dice() * 45)];
    emulator.reset();
    const id = await emulator.create(paths.label, label(before));
    const args = { testName: "T", server: "a.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [id] };
    const testId = await emulator.create(paths.agentToServer, { ...args, maxMachines: maxBefore });
    // Half of the changes are of a label with an unchanged test. The other half also changes the test's limit.
    const ofTest = dice() < 0.5;
    const max = ofTest ? maxAfter : maxBefore;
    const changed = JSON.stringify(before) !== JSON.stringify(after);
    if (!ofTest && !changed) continue;
    const labelStep = step(changed ? "update" : "same", "label", "l", { id, before: label(before), after: label(after) });
    const testStep = step(max === maxBefore ? "update" : "replace", "agentToServerTest", "t", {
      ...(max !== maxBefore && { reasons: ["maxMachines"] }),
      id: testId,
      before: { ...args, maxMachines: maxBefore, interval: 60 },
      after: { ...args, maxMachines: max, interval: 120 },
    });
    const judgement = await reviewed(emulator.url, ofTest ? [labelStep, testStep] : [labelStep]);
    const [had, has] = [on(before), on(after)];
    const [gained, lost] = [without(has, had), without(had, has)];
    const where = `seed ${first + n}`;

    const resource = judgement.review.resources.find(({ name }) => name === (ofTest ? "t" : "l"));
    const number = (selected: number, limit: number) => ({
      count: Math.min(selected, limit),
      of: selected > limit ? selected : undefined,
    });
    if (ofTest) seen.ofTest += 1;
    const { reach, touches: [touched] = [] } = resource ?? {};
    const [now, then] = [number(had.length, maxBefore), number(has.length, max)];
    const shown = ofTest
      ? [
          reach?.before?.count,
          reach?.before?.of,
          reach?.after?.count,
          reach?.after?.of,
          reach?.gained?.count,
          reach?.lost?.count,
        ]
      : [
          touched?.before?.count,
          touched?.before?.of,
          touched?.after?.count,
          touched?.after?.of,
          touched?.gained?.count,
          touched?.lost?.count,
        ];
    expect([where, ...shown]).toEqual([where, now.count, now.of, then.count, then.of, gained || undefined, lost || undefined]);
    const [a, b] = [side(had.length, maxBefore), side(has.length, max)];
    const sides = a === b && gained + lost === 0 ? a : `${a} → ${b}`;
    const sentence = `1 test by this label: \`T\` (not in this preview) ${sides}`;
    expect([where, ofTest ? sentence : withoutSeen(toMarkdown(judgement))]).toEqual([where, expect.stringContaining(sentence)]);
    const distinct = judgement.review.summary.agents;
    expect([where, distinct?.before, distinct?.after]).toEqual([where, had.length, has.length]);

    seen[had.length > maxBefore || has.length > max ? "chosen" : "certain"] += 1;
    if (has.length === 0) seen.none += 1;
  }
  // Every kind of sentence occurred.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});
