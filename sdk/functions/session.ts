import * as pulumi from "../pulumi";
import type { Operation, operations, RequestOf, ResponseOf, SettingName } from "../../api";
import type { Transport } from "../../api/transport";
import { type Api, loadApi } from "./api";
import { requestOf, type CallContext } from "./request";
import { standIn } from "./stand-in";

export type Operations = typeof operations;

interface Linked {
  _links?: { next?: { href: string } };
}

/** Open transports, keyed by client settings. A process uses several transports only if it runs several stacks. */
const transports = new Map<string, Transport>();

/** Whether `endpoint-monitoring validate` runs the program. The program must then send no requests. */
export function isValidation(): boolean {
  return process.env["ENDPOINT_MONITORING_VALIDATE"] === "true";
}

const noService =
  "`endpoint-monitoring validate` sends no requests, so a function that returns a promise cannot get its result. Use the function's " +
  "...Output form, or preview the program instead.";

/** Returns a stack setting. Outside of Pulumi, the result is always undefined. */
let readSetting = (name: SettingName): string | undefined => new pulumi.Config("endpoint-monitoring").get(name);

/** Sets the source of the settings that functions use. The native plugin passes the settings that the engine sends. */
export function readSettingsFrom(read: (name: SettingName) => string | undefined): void {
  readSetting = read;
}

const passing =
  "The program reads measurements. Measurements differ at each preview, so a preview may show a change that the program does not make. Read " +
  "measurements in a script, or let a TestRun or an instant test gate the update.";
let hasWarned = false;

/**
 * Warns once per process if a preview reads measurements. A script that Pulumi does not run may read measurements without a
 * warning.
 */
function warnOfMeasurements({ id }: Operation): void {
  if (hasWarned || !id.startsWith("results.") || !pulumi.hasMonitor() || !pulumi.isDryRun()) return;
  hasWarned = true;
  void pulumi.warn(passing);
}

/** Calls the service for a function of the SDK. All functions of a process with the same settings share a transport. */
export class FunctionSession {
  private constructor(
    readonly api: Api,
    private readonly transport: Transport,
    private readonly baseUrl: string,
    private readonly accountGroupId: string | undefined,
  ) {}

  /**
   * Reads each setting from the stack configuration, and otherwise from the environment. A script that Pulumi does not run uses
   * only the environment.
   *
   * @throws ConfigurationError
   */
  static open(): FunctionSession {
    if (isValidation()) throw new pulumi.RunError(noService);
    const api = loadApi();
    // A static import would load the transport in every program. Unlike the client, the transport can call an operation at the
    // path of a link.
    const { Transport: Connection } = require("../../api/transport") as typeof import("../../api/transport");
    const replaced = standIn()?.settings;
    const { client, accountGroupId } = replaced
      ? api.readSettings((name) => replaced[name], {})
      : api.readSettings(readSetting);
    const key = JSON.stringify(client);
    // Transports stay open, because idle connections do not prevent a program from exiting.
    const transport = transports.get(key) ?? new Connection(client);
    transports.set(key, transport);
    return new FunctionSession(api, transport, client.baseUrl, accountGroupId);
  }

  async call<O extends Operation>(operation: O, args: object, known: CallContext = {}): Promise<ResponseOf<O>> {
    const { target, request } = this.#prepare(operation, args, known);
    return this.transport.call(target, request);
  }

  /** Yields the pages of a list. The session requests each page only when the caller reads it. */
  pages<O extends Operation>(operation: O, args: object, known: CallContext = {}): AsyncIterable<ResponseOf<O>> {
    const { target, request } = this.#prepare(operation, args, known);
    // A response without a link to a next page counts as the last page.
    const page = (asked: object) => this.transport.call(target, asked as RequestOf<O>) as Promise<ResponseOf<O> & Linked>;
    return this.api.pages(page, request);
  }

  #prepare<O extends Operation>(operation: O, args: object, known: CallContext): { target: O; request: RequestOf<O> } {
    warnOfMeasurements(operation);
    const { baseUrl, accountGroupId } = this;
    const { target, request } = requestOf(this.api, { ...known, operation, args, baseUrl, accountGroupId });
    // The cast is safe, because `requestOf` uses the property names of the operation's schema.
    return { target, request: request as object as RequestOf<O> };
  }
}
