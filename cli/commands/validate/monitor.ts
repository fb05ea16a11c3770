import { fileURLToPath } from "node:url";
import { objectOf, type Properties } from "../../../provider/values";
import type { Position } from "../../../common/position";
import { type Message, type ProgramProtocol, unwrapped } from "./protocol";

export interface ValidatedResource {
  readonly type: string;
  readonly name: string;
  readonly properties: Properties;
  /** URN that identifies the resource in the engine. The URN contains the resource's type, its parents' types and its name. */
  readonly urn: string;
  /** Position of the declaration, with a full path. If the program's own code does not create the resource, the position is undefined. */
  readonly position?: Position;
}

/** A server that replaces the Pulumi engine during `endpoint-monitoring validate`. */
export interface Monitor {
  readonly address: string;
  readonly declarations: readonly ValidatedResource[];
  readonly errors: readonly string[];
  end(): void;
}

type MonitorMethod = (request: Message) => Message;

/**
 * Starts a server with the engine's protocol on a free port, and records the program's resources. As in a preview, new resources do not
 * have an id.
 *
 * @param onDeclaration function that is called for each resource, with the number of resources so far
 */
export async function startMonitor(
  { grpc, services, messages, Empty, Struct }: ProgramProtocol,
  project: string,
  stack: string,
  onDeclaration: (count: number) => void,
): Promise<Monitor> {
  const declarations: ValidatedResource[] = [];
  const errors: string[] = [];
  let root = "";
  const reply = (name: string, members: Record<string, unknown> = {}): Message => {
    const message = new (messages[name] as new () => Message)();
    for (const [setter, value] of Object.entries(members)) message[setter]?.(value);
    return message;
  };
  const urnOf = (request: Message): string => {
    const type = typePath(textOf(request, "getParent"), textOf(request, "getType"));
    return `urn:pulumi:${stack}::${project}::${type}::${textOf(request, "getName")}`;
  };
  const resourceMethods: Record<string, MonitorMethod> = {
    supportsFeature: (request) => reply("SupportsFeatureResponse", { setHassupport: supported.has(textOf(request, "getId")) }),
    registerResource: (request) => {
      const [type, name] = [textOf(request, "getType"), textOf(request, "getName")];
      const properties = propertiesOf(request, "getObject");
      const urn = urnOf(request);
      declarations.push({ type, name, properties, position: positionOf(request), urn });
      onDeclaration(declarations.length);
      return reply("RegisterResourceResponse", { setUrn: urn, setObject: Struct.fromJavaScript(properties) });
    },
    registerResourceOutputs: () => new Empty(),
    readResource: (request) =>
      reply("ReadResourceResponse", { setUrn: urnOf(request), setProperties: Struct.fromJavaScript({}) }),
    signalAndWaitForShutdown: () => new Empty(),
  };
  const engineMethods: Record<string, MonitorMethod> = {
    log: (request) => {
      // In the engine's protocol, severity 3 is an error.
      if (request["getSeverity"]?.() === 3) errors.push(textOf(request, "getMessage"));
      return new Empty();
    },
    setRootResource: (request) => {
      root = textOf(request, "getUrn");
      return reply("SetRootResourceResponse");
    },
    getRootResource: () => reply("GetRootResourceResponse", { setUrn: root }),
    requirePulumiVersion: () => reply("RequirePulumiVersionResponse"),
  };
  const server = new grpc.Server({ "grpc.max_receive_message_length": 1024 * 1024 * 400 });
  server.addService(services.monitor, handlers(resourceMethods));
  server.addService(services.engine, handlers(engineMethods));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, declarations, errors, end: () => server.forceShutdown() };
}

/**
 * Features of the engine that the monitor supports. Without the feature `aliasSpecs`, the SDK would resolve aliases itself, and would fail
 * for some aliases.
 */
const supported: ReadonlySet<string> = new Set(["secrets", "aliasSpecs"]);

function handlers(methods: Record<string, MonitorMethod>): object {
  const entries = Object.entries(methods).map(([name, method]) => [
    name,
    (call: { request: Message }, answer: (error: unknown, response?: Message) => void) => {
      try {
        answer(null, method(call.request));
      } catch (error) {
        answer(error);
      }
    },
  ]);
  return Object.fromEntries(entries) as object;
}

/** Returns the type section of a URN. The section begins with the types of the parent components. */
function typePath(parent: string, type: string): string {
  const above = parent.split("::")[2] ?? "";
  return above === "" || above === "pulumi:pulumi:Stack" ? type : `${above}$${type}`;
}

function textOf(message: Message, getter: string): string {
  const value = message[getter]?.();
  return typeof value === "string" ? value : "";
}

function propertiesOf(message: Message, getter: string): Properties {
  const value = message[getter]?.();
  return objectOf(isMessage(value) ? unwrapped(value["toJavaScript"]?.()) : undefined);
}

/** Returns the position of the innermost call in the program's own code, outside of libraries. */
function positionOf(request: Message): Position | undefined {
  const trace = request["getStacktrace"]?.();
  const frames = isMessage(trace) ? trace["getFramesList"]?.() : undefined;
  for (const frame of Array.isArray(frames) ? (frames as unknown[]) : []) {
    const position = isMessage(frame) ? frame["getPc"]?.() : undefined;
    if (!isMessage(position)) continue;
    const uri = textOf(position, "getUri");
    if (!uri.startsWith("file:") || uri.includes("/node_modules/")) continue;
    return { file: fileURLToPath(uri), line: Number(position["getLine"]?.()), column: Number(position["getColumn"]?.()) };
  }
  return undefined;
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null;
}
