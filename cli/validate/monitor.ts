import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { objectOf, type Properties } from "../../provider/values";
import type { Position } from "../engine/state";
import { type Message, type Protocol, unwrapped } from "./protocol";

/** A resource as the program declares it. */
export interface DeclaredResource {
  readonly type: string;
  readonly name: string;
  readonly properties: Properties;
  /** Its identity in the engine: its type, those of its parents, and its name. No two may have the same. */
  readonly urn: string;
  /** Where the program declares it, with a full path. Absent if the program's own code is not on the stack. */
  readonly position?: Position;
}

/**
 * Stands in for the engine while a program is validated: it speaks the engine's protocol and notes the resources that the program
 * registers. As in a preview, a resource that is yet to be created has no id.
 */
export class Monitor {
  readonly declarations: DeclaredResource[] = [];
  /** Errors that the program's runner reports. */
  readonly errors: string[] = [];
  #root = "";

  private constructor(
    private readonly protocol: Protocol,
    private readonly stack: string,
    private readonly project: string,
    private readonly server: InstanceType<Protocol["grpc"]["Server"]>,
    private readonly onDeclaration: (count: number) => void,
  ) {}

  /** Starts one on a free port of this machine. @param onDeclaration called at each resource, with how many there are now */
  static async start(
    protocol: Protocol,
    project: string,
    stack: string,
    onDeclaration: (count: number) => void,
  ): Promise<{ monitor: Monitor; address: string }> {
    const server = new protocol.grpc.Server({ "grpc.max_receive_message_length": 1024 * 1024 * 400 });
    const monitor = new Monitor(protocol, stack, project, server, onDeclaration);
    server.addService(protocol.monitor, handlers(monitor.#monitorMethods()));
    server.addService(protocol.engine, handlers(monitor.#engineMethods()));
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", protocol.grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return { monitor, address: `127.0.0.1:${port}` };
  }

  end(): void {
    this.server.forceShutdown();
  }

  #urnOf(request: Message): string {
    const type = typePath(textOf(request, "getParent"), textOf(request, "getType"));
    return `urn:pulumi:${this.stack}::${this.project}::${type}::${textOf(request, "getName")}`;
  }

  #monitorMethods(): Record<string, Method> {
    const { messages, Empty, Struct } = this.protocol;
    const make = (name: string): Message => new (messages[name] as new () => Message)();
    return {
      supportsFeature: (request) => {
        const response = make("SupportsFeatureResponse");
        response["setHassupport"]?.(supported.has(textOf(request, "getId")));
        return response;
      },
      registerResource: (request) => {
        const [type, name] = [textOf(request, "getType"), textOf(request, "getName")];
        const properties = propertiesOf(request, "getObject");
        const urn = this.#urnOf(request);
        const position = positionOf(request, this.protocol.packageFolder);
        this.declarations.push({ type, name, properties, position, urn });
        this.onDeclaration(this.declarations.length);
        const response = make("RegisterResourceResponse");
        response["setUrn"]?.(urn);
        response["setObject"]?.(Struct.fromJavaScript(properties));
        return response;
      },
      registerResourceOutputs: () => new Empty(),
      readResource: (request) => {
        const response = make("ReadResourceResponse");
        response["setUrn"]?.(this.#urnOf(request));
        response["setProperties"]?.(Struct.fromJavaScript({}));
        return response;
      },
      signalAndWaitForShutdown: () => new Empty(),
    };
  }

  #engineMethods(): Record<string, Method> {
    const { engineMessages, Empty } = this.protocol;
    const make = (name: string): Message => new (engineMessages[name] as new () => Message)();
    return {
      log: (request) => {
        // 3 is an error.
        if (request["getSeverity"]?.() === 3) this.errors.push(textOf(request, "getMessage"));
        return new Empty();
      },
      setRootResource: (request) => {
        this.#root = textOf(request, "getUrn");
        return make("SetRootResourceResponse");
      },
      getRootResource: () => {
        const response = make("GetRootResourceResponse");
        response["setUrn"]?.(this.#root);
        return response;
      },
      requirePulumiVersion: () => make("RequirePulumiVersionResponse"),
    };
  }
}

/** Features that programs may use: secrets, and aliases without a name, which the SDK cannot resolve for a resource that is only read. */
const supported: ReadonlySet<string> = new Set(["secrets", "aliasSpecs"]);

type Method = (request: Message) => Message;

/** Methods in the shape in which gRPC calls them. */
function handlers(methods: Record<string, Method>): object {
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

/** The type that a URN carries: those of the components above it, and its own. */
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
  const properties = isMessage(value) ? unwrapped(value["toJavaScript"]?.()) : undefined;
  return objectOf(properties);
}

/** The innermost call that is of the program's own code: not of a library. */
function positionOf(request: Message, packageFolder: string): Position | undefined {
  const trace = request["getStacktrace"]?.();
  const frames = isMessage(trace) ? trace["getFramesList"]?.() : undefined;
  for (const frame of Array.isArray(frames) ? (frames as unknown[]) : []) {
    const position = isMessage(frame) ? frame["getPc"]?.() : undefined;
    if (!isMessage(position)) continue;
    const uri = textOf(position, "getUri");
    if (!uri.startsWith("file:") || uri.includes("/node_modules/")) continue;
    const file = fileURLToPath(uri);
    // The classes of a package that is linked are not under node_modules; with a source map, they are the sources.
    if (["dist", "sdk"].some((folder) => file.startsWith(join(packageFolder, folder) + sep))) continue;
    return { file, line: Number(position["getLine"]?.()), column: Number(position["getColumn"]?.()) };
  }
  return undefined;
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null;
}
