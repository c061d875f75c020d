import { codecs, KubeError, mediaTypes, parseMediaType } from "@typekube/core";
import { duplicateFields } from "./duplicate-fields.js";
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
    throw entityTooLarge(`limit is ${maxBodyBytes}`);
  }
  return body ?? empty;
}

/** The object of a body. */
export interface Received {
  readonly object: JsonObject;
  /** Paths of the keys that stand more than once in its JSON; the last one counts. */
  readonly duplicateFields: readonly string[];
}

/** Decodes the object of a create or an update. A missing apiVersion and kind are those of the resource. */
export async function readObject(
  body: Uint8Array | undefined,
  contentType: string | undefined,
  { descriptor }: Pick<ServedResource, "descriptor">,
  kind: string = descriptor.kind,
): Promise<Received> {
  const bytes = bodyBytes(body);
  const value = await decode(bytes, contentType, kind, descriptor.protobuf);
  if (!isJsonObject(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: it is not an object`,
    );
  }
  const { essence } = parseMediaType(contentType ?? mediaTypes.json);
  const isJson = essence === "" || essence === mediaTypes.json;
  return {
    object: withoutNulls(value),
    duplicateFields: isJson ? duplicateFields(textOf(bytes)) : [],
  };
}

/** The text of a body. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
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
