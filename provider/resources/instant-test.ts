import { z } from "zod";
import { tcpProbeMode, type AgentToServerTestRecord, type Client } from "../../api";
import { defineKind, type Failure, type Kind, type Measures } from "../kind";
import { createOnly, property, type PropertyMap, type SchemaOf } from "../property";
import type { Session } from "../session";
import { createBody, inputsOfRecord } from "../state";
import { type Properties, compact } from "../values";
import { expectationRules } from "./expectations";
import { runOutputs, runProperties } from "./measurements";
import { RunHandler } from "./run-handler";
import { scheduleOf } from "./test-reach";
import { selectionRules, testOutputs, testOutputsOf, testProperties } from "./test-properties";

// A run has no rounds to come, so nothing of a scheduled test that is about them; nor is it adopted.
const {
  interval: _interval,
  isPrioritized: _isPrioritized,
  isEnabled: _isEnabled,
  adopt: _adopt,
  protocol,
  tcpProbeMode: _tcpProbeMode,
  ...shared
} = testProperties;

/** Properties of instant tests that may choose how to probe. */
export const probeProperties = { protocol, tcpProbeMode: property(tcpProbeMode.default("auto")) };

const outputs = { ...testOutputs, ...runOutputs };

type InstantProperties<M extends PropertyMap> = typeof shared & M & typeof runProperties;

interface Own<M extends PropertyMap, R extends AgentToServerTestRecord> {
  name: string;
  noun: string;
  /** Properties that are its own. */
  properties: M;
  /** What a run measures, from the inputs that are known. */
  measures: (inputs: Properties) => Measures;
  rules(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): Failure[];
  start: (client: Client, body: Properties, aid: string | undefined) => Promise<R>;
}

/** Declares a kind of instant test. Every property but what is for the next run takes another run to change. */
export function instantKind<const M extends PropertyMap, R extends AgentToServerTestRecord>(
  own: Own<M, R>,
): Kind<InstantProperties<M>, typeof outputs> {
  const { measures, start } = own;
  const kind: Kind<InstantProperties<M>, typeof outputs> = defineKind<InstantProperties<M>, typeof outputs>({
    name: own.name,
    noun: own.noun,
    properties: { ...createOnly({ ...shared, ...own.properties }), ...runProperties },
    outputs,
    nameProperty: "testName",
    replacementCost: "the test is run again",
    reach: { means: "test", scheduled: false, schedule: scheduleOf },
    rules: (given, isGiven) => [
      ...selectionRules(given, isGiven),
      ...own.rules(given, isGiven),
      ...expectationRules((given as Properties)["expect"], measures(given)),
    ],
    handler: (session: Session) =>
      new RunHandler(kind, session, {
        async start(client, inputs, aid) {
          const record = await start(client, createBody(kind, inputs), aid);
          const answered = compact(inputsOfRecord(kind, record));
          return { testId: record.testId, ...measures(inputs), answered: { ...answered, ...testOutputsOf(record) } };
        },
      }),
  });
  return kind;
}
