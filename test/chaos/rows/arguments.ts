/** Arguments of `check` and `diff` that no resource type expects. */
import type { DynamicProvider } from "../../../provider/dynamic";
import { type KindName, registry } from "../../../provider/registry";
import { isUnknown, type Properties } from "../../../provider/values";
import { messageProblems, mutated, tryEach } from "../../support/fuzz";
import type { CaseResult, Random, Row } from "../row";
import { declared } from "./declared";
import { called, problemsOf, providerOf } from "./provider";

const kinds = Object.keys(registry) as KindName[];
/** Neither sends a request, so no server is needed. */
const nowhere = "http://127.0.0.1:9";

export const argumentsRow: Row = {
  name: "invalid input to check and diff",
  atLeast: 50_000,
  run(options) {
    const printed: string[] = [];
    const providers = new Map(kinds.map((kind) => [kind, providerOf(kind, nowhere, { discreet: true, printed })]));
    return tryEach(options, async (random) => {
      const kind = random.of(kinds);
      const secret = `s3cret-${random.seed}-`;
      const provider = providers.get(kind);
      if (!provider) throw new Error(`no provider of ${kind}`);
      printed.length = 0;
      const outcome = await (random.isOne(3)
        ? triedDiff(provider, kind, random, secret)
        : triedCheck(provider, kind, random, secret));
      return { ...outcome, wrong: [...outcome.wrong, ...printed.flatMap((line) => messageProblems(line, secret))] };
    });
  },
};

function damaged(kind: KindName, random: Random, secret: string): Properties {
  let value: unknown = declared[kind];
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const next = mutated(random, value, secret);
    // Properties are always an object in the protocol.
    if (typeof next === "object" && next !== null && !Array.isArray(next)) value = next;
  }
  return { __provider: "exports.handler=…", ...(value as Properties) };
}

async function triedCheck(provider: DynamicProvider, kind: KindName, random: Random, secret: string): Promise<CaseResult> {
  const declaredInputs = damaged(kind, random, secret);
  const oldInputs = random.isOne(2) ? damaged(kind, random, secret) : {};
  const outcome = await called(() => provider.check(oldInputs, declaredInputs), secret);
  // A check reports in its response. A check that fails as a whole reports no position.
  if (!("answer" in outcome)) return { reported: true, wrong: [...outcome.problems, `check failed: ${outcome.message}`] };
  const { failures, inputs } = outcome.answer;
  const wrong = failures.flatMap(({ property, reason }) => [
    ...(property === "" ? [] : [`names ${property}, whose value the engine prints`]),
    ...messageProblems(reason, secret),
  ]);
  if (failures.length === 0) {
    const wrongly = certainlyWrong(kind, declaredInputs);
    if (wrongly !== undefined) wrong.push(`${kind}: accepts ${wrongly}`);
    const again = await called(() => provider.diff("1", inputs, inputs), secret);
    wrong.push(...problemsOf(again));
  }
  return { reported: failures.length > 0, wrong };
}

async function triedDiff(provider: DynamicProvider, kind: KindName, random: Random, secret: string): Promise<CaseResult> {
  const state = random.isOne(2) ? damaged(kind, random, secret) : declared[kind];
  const inputs = damaged(kind, random, secret);
  const outcome = await called(() => provider.diff("281474976710656", state, inputs), secret);
  return { reported: !("answer" in outcome), wrong: problemsOf(outcome) };
}

/** Returns a property with another type than a valid one, or an unknown property: check must report it. */
function certainlyWrong(kind: KindName, inputs: Properties): string | undefined {
  const known = Object.keys(registry[kind].schema.shape);
  return Object.entries(inputs).find(([property, value]) => {
    if (property === "__provider" || value === null || value === undefined || isUnknown(value)) return false;
    if (!known.includes(property)) return true;
    const valid = declared[kind][property];
    return valid !== undefined && (typeof valid !== typeof value || Array.isArray(valid) !== Array.isArray(value));
  })?.[0];
}
