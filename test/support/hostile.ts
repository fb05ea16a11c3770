/**
 * Messages to the native plugin that no engine sends: odd values, broken structures, damaged bytes. A seed determines each of
 * them.
 */
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import * as grpcService from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ListValue, type NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { type KindName, registry } from "../../provider/registry";
import { nativeToken } from "../../sdk/token";
import type { Random } from "../chaos/row";
import { mutated } from "./fuzz";
import { kindCases, recordKinds } from "./kinds";
import { secret } from "./plugin";

/** One message, as bytes. */
export interface Hostile {
  method: string;
  bytes: Uint8Array;
  /** A value that the message marks as secret, which no response may contain. undefined if the mark may be damaged. */
  secret: string | undefined;
}

/** The plugin's response. */
export interface Answer {
  error?: ServiceError;
  /** Values of the response without a secret mark, and each text of the error. */
  shown: string;
  late: boolean;
  /** Whether the connection ended before the response arrived, perhaps because of another message. */
  lost: boolean;
}

type Values = Record<string, unknown>;
type MessageClass = new () => { serializeBinary(): Uint8Array };

/** Methods with the class of their requests, except Configure, which would change the settings for the others. */
const requests: Record<string, MessageClass> = {
  handshake: messages.ProviderHandshakeRequest,
  attach: PluginAttach,
  getSchema: messages.GetSchemaRequest,
  checkConfig: messages.CheckRequest,
  diffConfig: messages.DiffRequest,
  check: messages.CheckRequest,
  diff: messages.DiffRequest,
  create: messages.CreateRequest,
  read: messages.ReadRequest,
  update: messages.UpdateRequest,
  delete: messages.DeleteRequest,
  invoke: messages.InvokeRequest,
  list: messages.ListRequest,
  construct: messages.ConstructRequest,
  call: messages.CallRequest,
};
const common = ["check", "diff", "create", "read", "update", "delete"];

const kinds = Object.keys(registry) as KindName[];
const actions: Partial<Record<KindName, Values>> = {
  endpointAgent: { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", onDestroy: "delete" },
  agentTransfer: { transfers: [{ agentId: "a", fromAid: "1001", toAid: "1002" }], transferTimeout: 0.1 },
  agentToServerInstantTest: { testName: "Gate", server: "www.example.com" },
  httpServerInstantTest: { testName: "Gate", url: "https://www.example.com" },
  testRun: { testId: "1" },
};

const waits: Values = { transferTimeout: 0.1, waitForResults: { timeout: 0.1 } };

function argsOf(random: Random, kind: KindName): Values {
  const action = actions[kind];
  if (action) return action;
  const record = recordKinds.find((name) => name === kind) ?? "label";
  return random.chance() ? kindCases[record].full : kindCases[record].minimal;
}

/** Returns mostly invalid properties of a resource, one of them a secret. */
function properties(random: Random, kind: KindName, hidden: string): Values {
  let declared: unknown = argsOf(random, kind);
  for (let times = random.below(3); times > 0; times -= 1) declared = mutated(random, declared, "odd");
  const values: Values =
    typeof declared === "object" && declared !== null && !Array.isArray(declared) ? { ...declared } : { odd: declared };
  // A program with a long wait must wait, so the tests use none.
  for (const wait of ["transferTimeout", "waitForResults"]) if (wait in registry[kind].properties) values[wait] = waits[wait];
  const names = [...Object.keys(registry[kind].properties), "__provider", "unmanagedFields"];
  const name = random.of(names);
  const hiding = random.of<() => unknown>([
    () => secret(hidden),
    () => secret([hidden]),
    () => secret({ value: hidden }),
    () => [secret(hidden)],
    () => ({ 4: secret(hidden) }),
    () => ({ "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: hidden, secret: true }),
  ])();
  // A wait without a timeout has the default timeout of minutes.
  values[name] = name === "waitForResults" ? { timeout: 0.1, hiding } : hiding;
  return values;
}

/** Returns a protocol value, occasionally without a kind, or with an unset member. */
function valueOf(random: Random, javaScriptValue: unknown, depth = 0): Value {
  const value = new Value();
  if (random.isOne(60) || depth > 90) return value;
  if (Array.isArray(javaScriptValue)) {
    const list = new ListValue();
    for (const item of javaScriptValue.slice(0, 400)) list.addValues(valueOf(random, item, depth + 1));
    value.setListValue(list);
  } else if (typeof javaScriptValue === "object" && javaScriptValue !== null)
    value.setStructValue(structOf(random, javaScriptValue as Values, depth + 1));
  else if (typeof javaScriptValue === "number") value.setNumberValue(random.isOne(30) ? Number.NaN : javaScriptValue);
  else if (typeof javaScriptValue === "boolean") value.setBoolValue(javaScriptValue);
  else if (typeof javaScriptValue === "string") value.setStringValue(javaScriptValue);
  // The only value of the enumeration, or one that it does not have.
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a value that the enumeration does not have is the case
  else value.setNullValue((random.isOne(10) ? 7 : 0) as NullValue);
  return value;
}

function structOf(random: Random, members: Values, depth = 0): Struct {
  const struct = new Struct();
  for (const [name, member] of Object.entries(members)) struct.getFieldsMap().set(name, valueOf(random, member, depth));
  return struct;
}

const oddTexts = [
  "",
  "odd",
  "urn:pulumi:dev::test",
  "::::::",
  "endpoint-monitoring:index:",
  "a:b:c",
  "\u0000",
  "x".repeat(70_000),
];
const oddAddresses = ["", ":", "127.0.0.1:1", "127.0.0.1:99999", "nowhere", "dns:///", "unix:///nowhere", "http://[::1"];

/** Returns the message of a seed. */
export function hostile(random: Random, hidden: string): Hostile {
  const method = random.chance(0.8) ? random.of(common) : random.of(Object.keys(requests));
  const message = new (requests[method] ?? messages.CheckRequest)();
  const kind = random.of(kinds);
  const type = nativeToken(registry[kind].name);
  const put = (name: string, value: () => unknown): void => {
    // Each member of a message has a setter with its name. Omitted members are empty.
    const setter = (message as unknown as Record<string, ((value: unknown) => void) | undefined>)[`set${name}`];
    if (setter && !random.isOne(15)) setter.call(message, value());
  };
  put("Urn", () => (random.isOne(8) ? random.of(oddTexts) : `urn:pulumi:dev::test::${type}::name`));
  put("Type", () => (random.isOne(8) ? random.of(oddTexts) : type));
  put("Tok", () =>
    random.isOne(2) ? random.of(oddTexts) : nativeToken(random.of(["getLabel", "getAgents", "getTest", "constructor"])),
  );
  put("Token", () => (random.isOne(8) ? random.of(oddTexts) : type));
  put("Id", () => random.of(["1", "400000000000001", "281474976710656", "", "1002/1", "../..", "a/b/c", ...oddTexts]));
  for (const name of ["Properties", "Olds", "News", "Inputs", "OldInputs", "Args", "Query"]) {
    put(name, () => structOf(random, properties(random, kind, hidden)));
  }
  put("Preview", () => random.isOne(4));
  put("Limit", () => random.of([0, 1, -5, 2 ** 40]));
  put("EngineAddress", () => random.of(oddAddresses));
  put("Address", () => random.of(oddAddresses));
  const bytes = message.serializeBinary();
  return random.isOne(8) ? { method, bytes: damaged(random, bytes), secret: undefined } : { method, bytes, secret: hidden };
}

function damaged(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  if (random.isOne(3)) return copy.slice(0, random.below(copy.length + 1));
  for (let times = random.of([1, 3, 20]); times > 0 && copy.length > 0; times -= 1)
    copy[random.below(copy.length)] = random.below(256);
  return copy;
}

/** A client that sends raw bytes on its own connection. */
export class RawClient {
  readonly #client: Client;

  constructor(port: string) {
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  }

  send({ method, bytes }: Pick<Hostile, "method" | "bytes">, patienceMs: number): Promise<Answer> {
    const definition = grpcService.ResourceProviderService[method as "check"];
    const { path, responseDeserialize } = definition;
    const options = { deadline: Date.now() + patienceMs };
    const serialize = (value: Buffer): Buffer => value;
    const metadata = new Metadata({ waitForReady: true });
    return new Promise((resolve) => {
      const done = (error: ServiceError | null, answers: readonly object[]): void => {
        const late = error?.code === status.DEADLINE_EXCEEDED;
        const lost = error?.code === status.UNAVAILABLE || /RST_STREAM/.test(error?.details ?? "");
        resolve({ ...(error && { error }), late, lost, shown: error ? textOf(error) : answers.map(shownIn).join("\n") });
      };
      const request = [path, serialize, responseDeserialize, Buffer.from(bytes), metadata, options] as const;
      if (!definition.responseStream) {
        this.#client.makeUnaryRequest(...request, (error, answer) => done(error, answer ? [answer] : []));
        return;
      }
      const answers: object[] = [];
      const stream = this.#client.makeServerStreamRequest(...request);
      stream.on("data", (answer: object) => answers.push(answer));
      stream.on("error", (error: ServiceError) => done(error, []));
      stream.on("end", () => done(null, answers));
    });
  }

  close(): void {
    this.#client.close();
  }
}

/** Returns the texts of an error. The metadata contains the properties of a partial failure, with their marks. */
function textOf({ details, message }: ServiceError): string {
  return [details, message].join("\n");
}

/** Returns the visible parts of a response: its texts and the values without a secret mark. */
function shownIn(answer: object): string {
  const of = answer as Partial<Record<"getInputs" | "getProperties" | "getReturn", () => Struct | undefined>> & {
    getFailuresList?(): { toObject(): object }[];
    getResult?(): { toObject(): object } | undefined;
  };
  const structs = [of.getInputs?.(), of.getProperties?.(), of.getReturn?.()];
  const failures = of.getFailuresList?.().map((failure) => failure.toObject());
  return JSON.stringify([structs.map((struct) => open(struct?.toJavaScript())), failures, of.getResult?.()?.toObject()]);
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== "object" || value === null) return value;
  if (Object.values(value).includes("1b47061264138c4ac30d75fd1eb44270")) return "a secret";
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, open(member)]));
}
