/** Edited or damaged states: the commands report faults, and refresh and destroy still work. */
import { start } from "../../../emulator";
import { type KindName, registry } from "../../../provider/registry";
import type { Properties } from "../../../provider/values";
import { received } from "../../../plugin/values";
import { mutated, tryEach } from "../../support/fuzz";
import type { CaseResult, Random, Row } from "../row";
import { declared } from "./declared";
import { called, problemsOf, providerOf } from "./provider";

const kinds = Object.keys(registry) as KindName[];

/** A resource in a state. */
interface Stored {
  id: string;
  inputs: Properties;
  outputs: Properties;
}

export const statesRow: Row = {
  name: "damaged state objects",
  atLeast: 500,
  async run(options) {
    const emulator = await start({ rateLimit: "off", agents: 3 });
    try {
      const { id } = await providerOf("label", emulator.url).create({ ...declared.label, name: "Referred to" });
      return await tryEach(options, (random) => tried(emulator.url, id, random));
    } finally {
      await emulator.close();
    }
  },
};

async function tried(baseUrl: string, labelId: string, random: Random): Promise<CaseResult> {
  const kind = random.of(kinds);
  const secret = `s3cret-${random.seed}-`;
  const stored = await storedOf(kind, baseUrl, labelId, random.seed);
  const damaged = (properties: Properties): Properties => {
    const value = mutated(random, properties, secret);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : { ...properties, filters: [null] };
  };
  const { id, inputs } = stored;
  const outputs = damaged(stored.outputs);
  // Each call gets a new provider, because a process does not delete a resource that it updated.
  const provider = () => providerOf(kind, baseUrl, { discreet: true });

  const asked = await called(() => provider().diff(id, outputs, inputs), secret);
  const read = await called(() => provider().read(id, outputs), secret);
  const wrong = [...problemsOf(asked), ...problemsOf(read)];
  // Another account group does not have the record: the call may fail, or report it as missing.
  const isThere = outputs["accountGroupId"] === stored.outputs["accountGroupId"];
  if ("answer" in read) {
    const { props } = read.answer;
    if (isThere && read.answer.id !== id) wrong.push(`${kind}: a refresh takes it for deleted`);
    if (read.answer.id !== "")
      wrong.push(...problemsOf(await called(() => provider().diff(id, props, damaged(inputs)), secret)));
  } else if (isThere && Object.keys(outputs).length > 1) wrong.push(`${kind}: a refresh fails: ${read.message}`);
  if (!("answer" in asked) && !asked.message.includes("pulumi refresh"))
    wrong.push(`${kind}: does not say what to do: ${asked.message}`);
  if (random.isOne(3)) wrong.push(...problemsOf(await called(() => provider().update(id, outputs, inputs), secret)));
  const removed = await called(() => provider().delete(id, outputs), secret);
  wrong.push(...problemsOf(removed));
  if (isThere && !("answer" in removed)) wrong.push(`${kind}: cannot be destroyed: ${removed.message}`);
  return { reported: !("answer" in asked), wrong };
}

async function storedOf(kind: KindName, baseUrl: string, labelId: string, seed: number): Promise<Stored> {
  const { onDestroy: _, ...args } = declared[kind];
  if (args["endpointAgentLabels"] !== undefined) args["endpointAgentLabels"] = [labelId];
  const provider = providerOf(kind, baseUrl);
  if (registry[kind].origin !== "made") {
    const outputs = kind === "endpointAgent" ? { ...args, accountGroupId: "1001" } : { ...args, testId: "1", outcomes: [] };
    const agents = (await (
      await fetch(`${baseUrl}/v7/endpoint/agents?aid=1001`, { headers: { authorization: "Bearer emulator-token" } })
    ).json()) as {
      agents: { id: string }[];
    };
    const id = kind === "endpointAgent" ? (agents.agents[0]?.id ?? "") : "1";
    return { id, inputs: args, outputs: kind === "endpointAgent" ? { ...outputs, agentId: id } : outputs };
  }
  const { inputs, failures } = await provider.check({}, { ...args, [registry[kind].nameProperty]: `State ${seed}` });
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  const checked = received(inputs).properties;
  const { id, outs } = await provider.create({ ...checked, adopt: true });
  return { id, inputs: checked, outputs: outs };
}
