import { codecs, KubeError, mediaTypes, parseMediaType } from "@typekube/core";
import { isJsonObject, type JsonObject, withoutNulls } from "./json-value.js";
import type { ServedResource } from "./served-resource.js";
import { badRequest, entityTooLarge, unsupportedMediaType } from "./status-errors.js";
import { readYaml } from "./yaml.js";

/** What a request may send at most; real servers say 3 MiB. */
export const maxBodyBytes: number = 3 * 1024 * 1024;

const empty = new Uint8Array(0);

/** The bytes of a request body, if it is not too large. */
export function bodyBytes(body: Uint8Array | undefined): Uint8Array {
  if (body !== undefined && body.byteLength > maxBodyBytes) {
    throw entityTooLarge(maxBodyBytes);
  }
  return body ?? empty;
}

/** Decodes the object of a create or an update. A missing apiVersion and kind are those of the resource. */
export async function readObject(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  { descriptor }: Pick<ServedResource, "descriptor">,
  kind: string = descriptor.kind,
): Promise<JsonObject> {
  const value = await decode(bodyBytes(body), contentType, kind, descriptor.protobuf);
  if (!isJsonObject(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: it is not an object`,
    );
  }
  return withoutNulls(value);
}

/** Decodes the options that may come as the body of a delete. */
export async function readDeleteOptions(
  body: Uint8Array | undefined,
  contentType: string | undefined,
): Promise<JsonObject | undefined> {
  const bytes = bodyBytes(body);
  if (bytes.byteLength === 0) {
    return undefined;
  }
  const value = await decode(bytes, contentType, "DeleteOptions", true);
  return isJsonObject(value) ? withoutNulls(value) : undefined;
}

async function decode(
  bytes: Uint8Array,
  contentType: string | undefined,
  kind: string,
  protobuf: boolean,
): Promise<unknown> {
  const { essence } = parseMediaType(contentType ?? mediaTypes.json);
  const accepted = [mediaTypes.json, mediaTypes.yaml, ...(protobuf ? [mediaTypes.protobuf] : [])];
  if (essence !== "" && !(accepted as readonly string[]).includes(essence)) {
    throw unsupportedMediaType(accepted);
  }
  try {
    if (essence === mediaTypes.yaml) {
      return readYaml(bytes);
    }
    const codec = essence === mediaTypes.protobuf ? codecs.protobuf : codecs.json;
    return await codec.decode(bytes);
  } catch (error) {
    const why = error instanceof KubeError ? error.rawMessage : (error as Error).message;
    const text = bytes.byteLength === 0 ? "unexpected end of JSON input (<empty>)" : why;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${text}`,
    );
  }
}
