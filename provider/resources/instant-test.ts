import type { z } from "zod";
import { tcpProbeMode, type AgentToServerTestRecord, type Client } from "../../api";
import type { Failure, Kind, Measures } from "../kind";
import { type Properties, compact } from "../values";
import type { Measurement } from "../measurement";
import { expectationRules } from "./expectations";
import type { runInputs } from "./measurements";
import { RunBehaviour } from "./run-behaviour";
import { scheduleOf } from "./test-reach";
import {
  selectionRules,
  testInputs,
  testRefersTo,
  testSame,
  testToInputs,
  testToOutputs,
  type TestOutputs,
} from "./test-fields";

// A run has no rounds to come, so nothing of a scheduled test that is about them; nor is it adopted.
const { interval: _interval, isPrioritized: _isPrioritized, isEnabled: _isEnabled, adopt: _adopt, ...shared } = testInputs;
const { protocol: _protocol, tcpProbeMode: _tcpProbeMode, ...withoutProbes } = shared;

/** Inputs of every kind of instant test. */
export const instantInputs = withoutProbes;
/** Inputs of instant tests that may choose how to probe. */
export const instantProbeInputs = {
  ...shared,
  /** TCP probe mode; only meaningful with a TCP protocol. Default: `auto`. */
  tcpProbeMode: tcpProbeMode.default("auto"),
};

/** Outputs of every kind that runs a test, beyond its inputs. */
export interface RunOutputs {
  /** What each agent measured, where results were waited for. */
  results?: Measurement[];
}

/** Properties that change nothing about a run that was: they are for the next one. */
export const runStateOnly = ["waitForResults", "expect"] as const;

type InstantSchema = z.ZodObject<typeof instantInputs & typeof runInputs>;

interface Own<S extends InstantSchema, R extends AgentToServerTestRecord> {
  name: string;
  noun: string;
  schema: S;
  /** What a run measures, from the inputs that are known. */
  measures: (inputs: Properties) => Measures;
  writeOnly: readonly (keyof z.output<S> & string)[];
  leftToService: readonly (keyof z.output<S> & string)[];
  same: Kind<S>["same"];
  rules(inputs: Partial<z.output<S>>, named: (property: keyof z.output<S> & string) => boolean): Failure[];
  start: (client: Client, body: Properties, aid: string | undefined) => Promise<R>;
}

/** Declares a kind of instant test. Every input but what is for the next run takes another run to change. */
export function instantKind<S extends InstantSchema, R extends AgentToServerTestRecord>(
  own: Own<S, R>,
): Kind<S, TestOutputs & RunOutputs> & { controls: readonly never[] } {
  const { measures, start, ...rest } = own;
  const stateOnly: readonly string[] = runStateOnly;
  const notSent = new Set([...stateOnly, "triggers", "accountGroupId"]);
  const properties = Object.keys(own.schema.shape);
  const kind: Kind<S, TestOutputs & RunOutputs> & { controls: readonly never[] } = {
    ...rest,
    nameProperty: "testName",
    // The keys of S's own shape.
    createOnly: properties.filter((property) => !stateOnly.includes(property)) as (keyof z.output<S> & string)[],
    stateOnly: properties.filter((property) => stateOnly.includes(property)) as (keyof z.output<S> & string)[],
    leftToService: ["ipVersion", "accountGroupId", ...own.leftToService],
    controls: [],
    refersTo: testRefersTo,
    reach: { means: "test", scheduled: false, schedule: scheduleOf },
    replacementCost: "the test is run again",
    same: { ...testSame, ...own.same },
    rules: (given, named) => [
      ...selectionRules(given, named),
      ...own.rules(given, named),
      ...expectationRules(given.expect, measures(given)),
    ],
    behaviour: (session) =>
      new RunBehaviour(kind, session, {
        async start(client, inputs, aid) {
          const body = Object.fromEntries(Object.entries(inputs).filter(([property]) => !notSent.has(property)));
          const record = await start(client, body, aid);
          const said = Object.entries(compact(testToInputs(record))).filter(([property]) => properties.includes(property));
          return {
            testId: record.testId,
            ...measures(inputs),
            said: { ...Object.fromEntries(said), ...testToOutputs(record) },
          };
        },
      }),
  };
  return kind;
}
