import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ownManifest } from "../api/manifest";
import { DerivedReplacementError, PartialFailure } from "../provider/failures";
import { titleOf } from "../provider/identity";
import { openLog } from "../provider/open-log";
import type { OperationLog } from "../provider/operation-log";
import { createdPreview, updatedPreview } from "../provider/state";
import { own } from "../provider/received";
import type { Session } from "../provider/session";
import { type Properties, hasUnknown, sameValue, secretOf } from "../provider/values";
import { ProtocolAnswers } from "./answers";
import { configurationProblem, openSession, secretConfiguration, settingIn } from "./configuration";
import type { EngineLog } from "./engine-log";
import { PartialError } from "./errors";
import type { PluginProtocol } from "./protocol";
import { type ResourceLog, type PluginResource, Resources } from "./resources";
import { schemaText } from "./schema";
import { kindOfToken, RefusedRequestError } from "./token";
import { bothSecrets, type SecretParts, written } from "./values";

import { outputsOf, secretsOf } from "./outputs";
import { read, resourceOf } from "./request-parts";

/**
 * The provider in a plugin process. The provider translates between the engine's protocol and `Lifecycle`. The engine starts a separate
 * process for each provider configuration, so a process needs only one session.
 */
export class NativeProvider {
  readonly #answers: ProtocolAnswers;
  #settings: Properties = {};
  #opened: { session: Session; resources: Resources } | undefined;
  readonly #interrupt = new AbortController();
  /**
   * Whether the engine runs an update. With `--continue-on-error`, the engine also sends preview requests for skipped
   * operations, but the provider prints no lines for these requests.
   */
  #isUpdating = false;

  constructor(
    private readonly protocol: PluginProtocol,
    private readonly log: EngineLog,
    private readonly openOperation: (address: string | undefined) => OperationLog = openLog,
  ) {
    this.#answers = new ProtocolAnswers(protocol);
  }

  handshake(request: messages.ProviderHandshakeRequest): messages.ProviderHandshakeResponse {
    this.log.attach(request.getEngineAddress());
    const response = new this.protocol.messages.ProviderHandshakeResponse();
    response.setAcceptSecrets(true);
    response.setAcceptResources(true);
    response.setAcceptOutputs(true);
    return response;
  }

  attach(request: PluginAttach): Empty {
    this.log.attach(request.getAddress());
    return new this.protocol.Empty();
  }

  getPluginInfo(): PluginInfo {
    const info = new this.protocol.PluginInfo();
    info.setVersion(ownManifest().version);
    return info;
  }

  /** @throws RefusedRequestError for an unknown format version, or for a package with parameters */
  getSchema(request: messages.GetSchemaRequest): messages.GetSchemaResponse {
    if (request.getVersion() !== 0)
      throw new RefusedRequestError("This plugin provides its schema only in version 0 of the schema format.");
    if (request.getSubpackageName() !== "") throw new RefusedRequestError("This package does not support parameterization.");
    const response = new this.protocol.messages.GetSchemaResponse();
    response.setSchema(schemaText());
    return response;
  }

  checkConfig(request: messages.CheckRequest): messages.CheckResponse {
    const { properties, secrets } = read(request.getNews());
    const problem = configurationProblem(properties);
    const inputs = written(properties, bothSecrets(secrets, secretConfiguration));
    return this.#answers.checked(inputs, problem === undefined ? [] : [problem]);
  }

  /**
   * Returns the changed settings. A changed setting never requires a replacement, because the managed records stay the same.
   */
  diffConfig(request: messages.DiffRequest): messages.DiffResponse {
    const [before, after] = [read(request.getOldInputs() ?? request.getOlds()).properties, read(request.getNews()).properties];
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    const changed = [...names].filter((name) => !sameValue(before[name], after[name]));
    return this.#answers.changed(changed);
  }

  configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    this.#settings = read(request.getArgs()).properties;
    this.#opened = undefined;
    const response = new this.protocol.messages.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setSupportspreview(true);
    response.setAcceptresources(true);
    response.setAcceptoutputs(true);
    return response;
  }

  /**
   * Ends all waits before write requests. The engine calls `cancel` when a user interrupts an operation, and at the end of each
   * operation. `cancel` does not abort requests in progress, so that the state agrees with the service.
   */
  cancel(): Empty {
    this.#interrupt.abort(new Error("the engine was interrupted"));
    return new this.protocol.Empty();
  }

  async invoke(request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
    const { properties, secrets } = read(request.getArgs());
    // `invoke.ts` is loaded on demand, because most operations call no function.
    const { invoke } = require("./invoke") as typeof import("./invoke");
    const result = await invoke(request.getTok(), own(properties), (name) => settingIn(this.#settings, name));
    const response = new this.protocol.messages.InvokeResponse();
    const isSecret = secrets !== undefined || result.secret;
    response.setReturn(this.#answers.struct({ result: isSecret ? secretOf(result.value) : result.value }));
    return response;
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const [state, declared] = [read(request.getOlds()), read(request.getNews())];
    const resource = resourceOf(request, declared.secrets);
    const { inputs, failures } = await this.#resources.check(resource, state.properties, declared.properties);
    return this.#answers.checked(written(inputs, secretsOf(resource.kind, declared.secrets)), failures);
  }

  diff(request: messages.DiffRequest): messages.DiffResponse {
    const [state, inputs] = [read(request.getOlds()), read(request.getNews())];
    const resource = resourceOf(request, bothSecrets(state.secrets, inputs.secrets));
    try {
      const changes = this.#resources.diff(resource, request.getId(), state.properties, inputs.properties);
      return this.#answers.differing(changes, this.#resources.deletesBeforeReplace(resource.kind));
    } catch (error) {
      throw resource.discreet && error instanceof DerivedReplacementError ? error.discreetly() : error;
    }
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const { properties, secrets } = read(request.getProperties());
    const resource = resourceOf(request, secrets);
    if (!this.#isSkipped(request)) await this.#resources.announceCreate(resource, properties, request.getPreview());
    const response = new this.protocol.messages.CreateResponse();
    const created = request.getPreview()
      ? { id: "", state: createdPreview(resource.kind, own(properties)) }
      : await this.#whole(resource, secrets, () => this.#resources.create(resource, properties));
    response.setId(created.id);
    response.setProperties(outputsOf(this.#answers, resource, created.state, secrets));
    return response;
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const { properties, secrets } = read(request.getProperties());
    const resource = resourceOf(request, secrets);
    const readResource = await this.#resources.read(resource, request.getId(), properties);
    const response = new this.protocol.messages.ReadResponse();
    // An empty id reports that the record no longer exists.
    if (!readResource) return response;
    response.setId(readResource.id);
    response.setProperties(outputsOf(this.#answers, resource, readResource.state, secrets));
    const inputSecrets = bothSecrets(secrets, read(request.getInputs()).secrets);
    response.setInputs(this.#answers.struct(written(readResource.inputs, secretsOf(resource.kind, inputSecrets))));
    return response;
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const [state, inputs] = [read(request.getOlds()), read(request.getNews())];
    const secrets = bothSecrets(state.secrets, inputs.secrets);
    const resource = resourceOf(request, secrets);
    const isSkipped = this.#isSkipped(request);
    const updated = request.getPreview()
      ? await this.#previewUpdate(resource, request.getId(), state.properties, inputs.properties, isSkipped)
      : await this.#whole(resource, secrets, () =>
          this.#resources.update(resource, request.getId(), state.properties, inputs.properties),
        );
    const response = new this.protocol.messages.UpdateResponse();
    response.setProperties(outputsOf(this.#answers, resource, updated, secrets));
    return response;
  }

  async delete(request: messages.DeleteRequest): Promise<Empty> {
    const { properties, secrets } = read(request.getProperties());
    const resource = resourceOf(request, secrets);
    await this.#resources.delete(resource, request.getId(), properties);
    return new this.protocol.Empty();
  }

  /**
   * Lists the records of a resource type in an account group. By default, the records of the provider's account group are
   * listed.
   */
  async list(request: messages.ListRequest): Promise<messages.ListResponse[]> {
    const kind = kindOfToken(request.getToken());
    const { properties: query } = read(request.getQuery());
    if (hasUnknown(query)) return [this.#answers.computed()];
    const records = await this.#resources.list(kind, query);
    const limit = request.getLimit() < 1 ? Infinity : request.getLimit();
    return records.slice(0, limit).map(({ id, state }) => this.#answers.listed(id, titleOf(kind, state) ?? ""));
  }

  /** @throws ConfigurationError */
  get #resources(): Resources {
    if (!this.#opened) {
      const operation = this.openOperation(this.log.address);
      const session = openSession(this.#settings, (line) => void this.log.print(line), operation, this.#interrupt.signal);
      const log: ResourceLog = (line, urn, severity) => this.log.print(line, urn, severity);
      this.#opened = { session, resources: new Resources(session, log, (line) => this.log.warn(line)) };
    }
    return this.#opened.resources;
  }

  /** @param isSkipped whether the engine skips the update, so that the engine needs only the outputs */
  async #previewUpdate(
    resource: PluginResource,
    id: string,
    state: Properties,
    inputs: Properties,
    isSkipped: boolean,
  ): Promise<Properties> {
    const outputs = updatedPreview(resource.kind, own(state), own(inputs));
    if (!isSkipped) await this.#resources.announceUpdate(resource, id, outputs);
    return outputs;
  }

  /**
   * Whether the engine skips the operation of a request. During an update, the engine sends preview requests only for skipped
   * operations. The first request without the preview flag shows that an update is running.
   */
  #isSkipped(request: messages.CreateRequest | messages.UpdateRequest): boolean {
    if (!request.getPreview()) this.#isUpdating = true;
    return this.#isUpdating && request.getPreview();
  }

  /** Runs an operation. After a partial success, the converted error contains the state for the engine. */
  async #whole<T>(resource: PluginResource, secrets: SecretParts | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      const failure = resource.discreet ? error.discreetly() : error;
      throw new PartialError(failure, outputsOf(this.#answers, resource, failure.state, secrets));
    }
  }
}
