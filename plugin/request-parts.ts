import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Kind } from "../provider/kind";
import { reshapedProperty } from "../provider/reshaped";
import { type Properties } from "../provider/values";
import { typeOfUrn } from "../sdk/token";
import { type PluginResource } from "./resources";
import { kindOfToken, RefusedRequestError } from "./token";
import { hasOtherSecret, received, type SecretParts, secretTexts } from "./values";

/** The getters of what holds properties in a request. */
const partsWithProperties = ["getProperties", "getOlds", "getNews", "getInputs", "getArgs", "getQuery"] as const;

/** A request about one resource, as far as all of them are alike. */
interface ResourceRequest {
  getUrn(): string;
  getType(): string;
}

export function resourceOf(request: ResourceRequest, secrets: SecretParts | undefined): PluginResource {
  const urn = request.getUrn();
  const kind = kindOfToken(request.getType() || typeOfUrn(urn));
  return { urn, kind, discreet: hasOtherSecret(secrets, [...kind.secrets, reshapedProperty]) };
}

/** The resource of a request, for the message of an error about it. */
export function describeResource(
  request: object,
): { kind: Kind; id?: string | undefined; properties: Properties; discreet: boolean } | undefined {
  if (!("getUrn" in request) || !("getType" in request)) return undefined;
  // Every request of this protocol about a resource has these.
  const asked = request as ResourceRequest &
    Partial<{ getId(): string; getProperties(): Struct; getOlds(): Struct; getNews(): Struct }>;
  try {
    const { properties, secrets } = read(asked.getProperties?.() ?? asked.getOlds?.() ?? asked.getNews?.());
    const { kind, discreet } = resourceOf(asked, secrets);
    return { kind, discreet, properties, id: asked.getId?.() || undefined };
  } catch {
    // A message that cannot be read, or a type that does not exist: the error itself says so.
    return undefined;
  }
}

/** The secrets in the properties of a request, which no message shows. */
export function secretsIn(request: object): string[] {
  // Every part with properties has a getter of its own.
  const asked = request as Partial<Record<(typeof partsWithProperties)[number], () => Struct | undefined>>;
  return partsWithProperties.flatMap((part) => {
    try {
      return secretTexts(read(asked[part]?.()));
    } catch {
      // A part that cannot be read is not quoted either.
      return [];
    }
  });
}

/** @throws RefusedRequestError for a value that the protocol does not have */
export function read(struct: Struct | undefined): ReturnType<typeof received> {
  let properties: unknown;
  try {
    properties = struct?.toJavaScript() ?? {};
  } catch (error) {
    throw new RefusedRequestError("The request has a value without a type.", { cause: error });
  }
  return received(properties);
}
