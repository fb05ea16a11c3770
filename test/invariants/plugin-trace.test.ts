/**
 * Replays the engine's recorded protocol to the native plugin without an engine: a lifecycle of each resource type, and
 * programs in other languages.
 */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { Plugin, secret, set } from "../support/plugin";
import { comparable, recorded, traceEmulator, traces, type Call } from "../support/protocol-trace";
import { patience, withBench } from "../provider/bench";

const requests = {
  Check: messages.CheckRequest,
  Diff: messages.DiffRequest,
  Create: messages.CreateRequest,
  Read: messages.ReadRequest,
  Update: messages.UpdateRequest,
  Delete: messages.DeleteRequest,
  Invoke: messages.InvokeRequest,
};

/** Names of enumeration values in the engine's JSON. */
const nameOf = (of: object, value: unknown): string | undefined =>
  Object.entries(of).find(([, number]) => number === value)?.[0];

/** The kind of a detailed difference. The engine's JSON omits the first one. */
const detailOf = (kind: number): string | undefined => (kind > 0 ? nameOf(messages.PropertyDiff.Kind, kind) : undefined);

/** Converts a response of the plugin to the engine's JSON. */
function jsonOf(method: string, answer: object): Properties {
  const plain = (struct: Struct | undefined): Properties | undefined => struct?.toJavaScript();
  if (answer instanceof messages.CheckResponse) {
    return { inputs: plain(answer.getInputs()), failures: answer.getFailuresList().map((failure) => failure.toObject()) };
  }
  if (answer instanceof messages.DiffResponse) {
    const details = answer.toObject().detaileddiffMap;
    return {
      changes: nameOf(messages.DiffResponse.DiffChanges, answer.getChanges()),
      diffs: answer.getDiffsList(),
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
      hasDetailedDiff: answer.getHasdetaileddiff(),
      detailedDiff: Object.fromEntries(details.map(([path, { kind }]) => [path, comparable({ kind: detailOf(kind) })])),
    };
  }
  if (answer instanceof messages.CreateResponse) return { id: answer.getId(), properties: plain(answer.getProperties()) };
  if (answer instanceof messages.UpdateResponse) return { properties: plain(answer.getProperties()) };
  if (answer instanceof messages.InvokeResponse) return { return: plain(answer.getReturn()) };
  if (answer instanceof messages.ReadResponse) {
    return { id: answer.getId(), properties: plain(answer.getProperties()), inputs: plain(answer.getInputs()) };
  }
  return method === "Delete" ? {} : { strange: method };
}

/** Converts a request in the engine's JSON to a message. */
function messageOf({ method, request }: Call): object {
  const message = new requests[method as keyof typeof requests]();
  const members = Object.entries(request).filter(([, value]) => !Array.isArray(value));
  return set(
    message,
    Object.fromEntries(members.map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value])),
  );
}

test("the recorded plugin calls include every resource type", () => {
  const calls = recorded("life", "").flat();
  const kinds = new Set(calls.map(({ request }) => String(request["type"]).split(":").at(-1)));
  const all = Object.values(registry).map(({ name }) => name);
  expect(all.filter((name) => !kinds.has(name))).toEqual([]);
});

test.each(traces)("the plugin returns the recorded response to each call in the trace %s", (trace) =>
  withBench(async (bench) => {
    const operations = recorded(trace, bench.emulator.url);
    for (const calls of operations) {
      const plugin = await Plugin.start({
        baseUrl: bench.emulator.url,
        token: secret("emulator-token"),
        previewReach: "off",
        ...patience,
      });
      try {
        for (const call of calls) {
          const answer = await plugin.call(call.method.toLowerCase(), messageOf(call));
          const place = `${call.method} ${String(call.request["urn"] ?? call.request["tok"])}`;
          expect({ place, answer: comparable(jsonOf(call.method, answer)) }).toEqual({
            place,
            answer: comparable(call.response),
          });
        }
      } finally {
        plugin.end();
      }
    }
  }, traceEmulator),
);
