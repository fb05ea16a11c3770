/**
 * The native plugin as the engine drives it: its server in this process, over gRPC, and an engine that receives its log
 * lines.
 */
import { rmSync } from "node:fs";
import {
  credentials,
  Server,
  ServerCredentials,
  type ServiceError,
  type sendUnaryData,
  type ServerUnaryCall,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { loadProtocol } from "../../plugin/protocol";
import { createServer } from "../../plugin/server";
import type { Properties } from "../../provider/values";
import { nativeToken } from "../../sdk/token";
import { logFileOf } from "../../provider/file-log";

const secretKey = "4dabf18193072939515e22adb298388d";

/** Returns a secret in the form of the protocol. */
export const secret = (value: unknown): Properties => ({ [secretKey]: "1b47061264138c4ac30d75fd1eb44270", value });

export interface Checked {
  inputs: Properties;
  failures: { property: string; reason: string }[];
}

/** A message of the protocol with its setters. */
type Message = object;

/** One provider process, as the engine has one for an operation. */
export class Plugin {
  /** Logged lines, each with its URN. */
  readonly logged: { urn: string; line: string; severity: string }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly engine: Server,
    private readonly client: ResourceProviderClient,
    private readonly log: string,
  ) {}

  /** Starts and configures a plugin. */
  static async start(settings: Properties): Promise<Plugin> {
    const engine = new Server();
    const server = createServer(loadProtocol());
    const client = new ResourceProviderClient(`127.0.0.1:${await portOf(server)}`, credentials.createInsecure());
    const address = `127.0.0.1:${await portOf(engine)}`;
    const plugin = new Plugin(server, engine, client, logFileOf(address));
    engine.addService(EngineService, {
      log: ({ request }: ServerUnaryCall<LogRequest, Empty>, answer: sendUnaryData<Empty>) => {
        const severity = Object.entries(LogSeverity).find(([, number]) => number === request.getSeverity())?.[0] ?? "";
        plugin.logged.push({ urn: request.getUrn(), line: request.getMessage(), severity });
        answer(null, new Empty());
      },
    });
    const handshake = new messages.ProviderHandshakeRequest();
    handshake.setEngineAddress(address);
    await plugin.call("handshake", handshake);
    await plugin.call("configure", set(new messages.ConfigureRequest(), { Args: settings }));
    return plugin;
  }

  end(): void {
    this.client.close();
    this.server.forceShutdown();
    this.engine.forceShutdown();
    // The log of an operation is named after the engine's port, and the system may assign a port twice.
    rmSync(this.log, { force: true });
  }

  /** Calls a method with a message. */
  call<T = Message>(method: string, request: Message): Promise<T> {
    return callOn(this.client, method, request);
  }

  /** Interrupts it, as the engine does when a user presses Ctrl+C. */
  async cancel(): Promise<void> {
    await this.call("cancel", new Empty());
  }

  async checkConfig(settings: Properties): Promise<Checked> {
    return checked(await this.call("checkConfig", set(new messages.CheckRequest(), { News: settings })));
  }

  async check(kind: string, oldInputs: Properties, declared: Properties): Promise<Checked> {
    return checked(
      await this.call("check", set(new messages.CheckRequest(), { ...named(kind), Olds: oldInputs, News: declared })),
    );
  }

  async diff(kind: string, id: string, state: Properties, inputs: Properties): Promise<messages.DiffResponse.AsObject> {
    const request = set(new messages.DiffRequest(), { ...named(kind), Id: id, Olds: state, News: inputs });
    return (await this.call<messages.DiffResponse>("diff", request)).toObject();
  }

  async create(kind: string, inputs: Properties, preview = false): Promise<{ id: string; properties: Properties }> {
    const request = set(new messages.CreateRequest(), { ...named(kind), Properties: inputs, Preview: preview });
    const answer = await this.call<messages.CreateResponse>("create", request);
    return { id: answer.getId(), properties: plain(answer.getProperties()) };
  }

  async read(
    kind: string,
    id: string,
    state: Properties = {},
    inputs: Properties = {},
  ): Promise<{ id: string; properties: Properties; inputs: Properties }> {
    const request = set(new messages.ReadRequest(), { ...named(kind), Id: id, Properties: state, Inputs: inputs });
    const answer = await this.call<messages.ReadResponse>("read", request);
    return { id: answer.getId(), properties: plain(answer.getProperties()), inputs: plain(answer.getInputs()) };
  }

  async update(kind: string, id: string, state: Properties, inputs: Properties, preview = false): Promise<Properties> {
    const request = set(new messages.UpdateRequest(), { ...named(kind), Id: id, Olds: state, News: inputs, Preview: preview });
    return plain((await this.call<messages.UpdateResponse>("update", request)).getProperties());
  }

  async delete(kind: string, id: string, state: Properties): Promise<void> {
    await this.call("delete", set(new messages.DeleteRequest(), { ...named(kind), Id: id, Properties: state }));
  }

  /** Returns a function's result. */
  async invoke(name: string, args: Properties): Promise<unknown> {
    const request = set(new messages.InvokeRequest(), { Tok: nativeToken(name), Args: args });
    return plain((await this.call<messages.InvokeResponse>("invoke", request)).getReturn())["result"];
  }

  /** Returns records of a type: id and name of each, or undefined if unknown. */
  async list(kind: string, query: Properties = {}, limit = 0): Promise<({ id: string; name: string } | undefined)[]> {
    const stream = this.client.list(set(new messages.ListRequest(), { Token: nativeToken(kind), Query: query, Limit: limit }));
    const resources: ({ id: string; name: string } | undefined)[] = [];
    for await (const answer of stream as AsyncIterable<messages.ListResponse>) {
      resources.push(answer.getResult()?.toObject());
    }
    return resources;
  }
}

/** Calls a method of a provider with a message. */
export function callOn<T = Message>(client: ResourceProviderClient, method: string, request: Message): Promise<T> {
  return new Promise((resolve, reject) => {
    // All unary methods of the service have the same signature.
    const methods = client as unknown as Record<
      string,
      (request: Message, done: (error: ServiceError | null, answer: T) => void) => void
    >;
    methods[method]?.call(client, request, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/** Returns type and URN of the resource `name` of a type. */
function named(kind: string): { Type: string; Urn: string } {
  return { Type: nativeToken(kind), Urn: urnOf(kind) };
}

export function urnOf(kind: string): string {
  return `urn:pulumi:dev::test::${nativeToken(kind)}::name`;
}

/** Sets members of a message. Properties become a struct. */
export function set<M extends Message>(message: M, members: Record<string, unknown>): M {
  for (const [name, value] of Object.entries(members)) {
    const converted = typeof value === "object" ? Struct.fromJavaScript(value as Record<string, JavaScriptValue>) : value;
    // Each member of a message has a setter with its name.
    (message as Record<string, (value: unknown) => void>)[`set${name}`]?.(converted);
  }
  return message;
}

function checked(answer: messages.CheckResponse): Checked {
  return { inputs: plain(answer.getInputs()), failures: answer.getFailuresList().map((failure) => failure.toObject()) };
}

export const plain = (struct: Struct | undefined): Properties => struct?.toJavaScript() ?? {};

/** Makes a server listen on a free port. */
export function portOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}
