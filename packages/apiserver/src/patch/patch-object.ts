import { codecs, mediaTypes, parseMediaType, stringifyJson } from "@typekube/core";
import { applyObject } from "../apply/apply.js";
import { assertNoDuplicates, readApplyDocument } from "../apply/apply-document.js";
import { existing } from "../read/read-objects.js";
import { duplicateFields } from "../request/duplicate-fields.js";
import { beforeSchema, bodyBytes, sortedKeys, textOf } from "../request/request-body.js";
import type { FeatureGates } from "../resources/feature-gates.js";
import type { ServedResource } from "../resources/served-resource.js";
import { goText } from "../response/go-value.js";
import {
  badRequest,
  entityTooLarge,
  failure,
  type StatusError,
  unreadablePatch,
  unsupportedMediaType,
} from "../response/status-errors.js";
import { isJsonObject, type JsonObject, withoutNulls } from "../store/json-value.js";
import { admit } from "../write/admit.js";
import type { Write, Written } from "../write/write.js";
import { updateObject } from "../write/write-object.js";
import { applyJsonPatch, type JsonPatchOperation } from "./json-patch.js";
import { applyMergePatch } from "./merge-patch.js";
import { showObject } from "./show-patch.js";
import { applyStrategicMergePatch } from "./strategic-merge-patch.js";

const maxOperations = 10_000;

/** The ways to patch. */
export type PatchType = "apply" | "json" | "merge" | "strategic";

const types: Readonly<Record<string, PatchType>> = {
  [mediaTypes.jsonPatch]: "json",
  [mediaTypes.mergePatch]: "merge",
  [mediaTypes.strategicMergePatch]: "strategic",
  [mediaTypes.applyYaml]: "apply",
  [mediaTypes.applyCbor]: "apply",
};

/** Reads from the Content-Type what kind of patch a request holds. */
export function patchTypeOf(
  contentType: string | undefined,
  { CBORServingAndStorage }: FeatureGates,
  { rules }: ServedResource,
): PatchType {
  const { essence } = parseMediaType(contentType ?? "");
  const isServed =
    Object.hasOwn(types, essence) && (CBORServingAndStorage || essence !== mediaTypes.applyCbor);
  const type = isServed ? types[essence] : undefined;
  if (rules.custom && (type === undefined || type === "strategic")) {
    throw unsupportedMediaType([
      mediaTypes.jsonPatch,
      mediaTypes.mergePatch,
      mediaTypes.applyYaml,
      ...(CBORServingAndStorage ? [mediaTypes.applyCbor] : []),
    ]);
  }
  if (type === undefined) {
    throw failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  return type;
}

/** A patch, read but not applied. */
export type Patch = (write: Write) => Written;

/** Reads a patch of any kind. Only an apply comes in more than one encoding. */
export async function readPatch(
  type: PatchType,
  body: Uint8Array | undefined,
  contentType: string | undefined,
): Promise<Patch> {
  const bytes = bodyBytes(body);
  if (type === "apply") {
    const duplicates: string[] = [];
    const document = await readApplyDocument(bytes, contentType, duplicates);
    return (write) => {
      assertNoDuplicates(write, duplicates);
      return applyObject(write, document);
    };
  }
  const patch = await decodePatch(bytes, type);
  if (type === "json") {
    const operations = readOperations(patch);
    return (write) =>
      patchWith(write, (current) => fitted(() => applyJsonPatch(current, operations)));
  }
  assertMap(patch);
  const text = { duplicateFields: duplicateFields(textOf(bytes)) };
  return type === "merge"
    ? (write) => patchWith(write, (current) => applyMergePatch(current, patch), text)
    : (write) =>
        patchWith(write, (current) => applyStrategicMergePatch(current, patch, write.schema), {
          ...text,
          show: () => goText(patch),
        });
}

/** Decodes a patch that is no apply. */
async function decodePatch(bytes: Uint8Array, type: PatchType): Promise<unknown> {
  try {
    return await codecs.json.decode(bytes);
  } catch (error) {
    throw badRequest(
      type === "merge" ? "invalid JSON patch" : `error decoding patch: ${(error as Error).message}`,
    );
  }
}

function readOperations(patch: unknown): JsonPatchOperation[] {
  if (!Array.isArray(patch)) {
    throw badRequest(
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    );
  }
  if (patch.length > maxOperations) {
    throw entityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  return patch as JsonPatchOperation[];
}

function assertMap(patch: unknown): asserts patch is JsonObject {
  if (!isJsonObject(patch)) {
    throw badRequest(
      "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    );
  }
}

/** Reads a patch of something that has no schema: a strategic one is a merge patch there. */
export async function readPlainPatch(
  type: Exclude<PatchType, "apply">,
  body: Uint8Array | undefined,
): Promise<(current: unknown) => unknown> {
  const patch = await decodePatch(bodyBytes(body), type);
  if (type === "json") {
    const operations = readOperations(patch);
    return (current) => fitted(() => applyJsonPatch(current, operations));
  }
  assertMap(patch);
  return (current) => applyMergePatch(current, patch);
}

/** A patch that does not fit the object is the client's mistake, told without details. */
function fitted<T>(apply: () => T): T {
  try {
    return apply();
  } catch {
    throw unfit();
  }
}

function unfit(): StatusError {
  return failure(
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
    {},
  );
}

/** How the text of a patch shows in warnings and refusals. */
interface PatchText {
  /** What a refusal shows, given the outcome. The default is the outcome itself. */
  readonly show?: (outcome: JsonObject) => string;
  readonly duplicateFields?: readonly string[];
}

function patchWith(
  write: Write,
  apply: (current: JsonObject) => unknown,
  { show, duplicateFields }: PatchText = {},
): Written {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  const current = existing(server, resource, namespace, name);
  const patched = apply(current);
  if (!isJsonObject(patched)) {
    throw unfit();
  }
  const { custom } = resource.rules;
  const admitted = admit(write, beforeSchema(patched, resource), {
    duplicateFields,
    json: () => stringifyJson(sortedKeys(patched)),
    refuse: (why) =>
      unreadablePatch(
        show?.(patched) ?? showObject(custom ? patched : withoutNulls(patched), custom),
        why,
      ),
  });
  return updateObject({ ...write, patch: true }, admitted);
}
