import { codecs, mediaTypes, parseMediaType, stringifyJson } from "@typekube/core/internal";
import type { Write, Written } from "../../context/write.js";
import { goText } from "../../errors/go-value.js";
import {
  badRequest,
  entityTooLarge,
  failure,
  type StatusError,
  unreadablePatch,
  unsupportedMediaType,
} from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, withoutNulls } from "../../objects/json-value.js";
import { bodyDecoding, nestingProblem } from "../../request/body-nesting.js";
import { duplicateFields } from "../../request/duplicate-fields.js";
import { beforeSchema, bodyBytes, sortedKeys, textOf } from "../../request/request-body.js";
import type { FeatureGates } from "../../resources/feature-gates.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { applyObject } from "../apply/apply.js";
import { assertNoDuplicates, readApplyDocument } from "../apply/apply-document.js";
import { admit } from "../decode/admit.js";
import type { Provenance } from "../decode/read-fields.js";
import { existing } from "../read/read-objects.js";
import { updateObject } from "../write/update-object.js";
import { applyJsonPatch, type JsonPatchOperation } from "./json-patch.js";
import { applyMergePatch } from "./merge-patch.js";
import { showObject } from "./show-patch.js";
import { applyStrategicMergePatch } from "./strategic-merge-patch.js";

const maxOperations = 10_000;

/** The patch types. */
export type PatchType = "apply" | "json" | "merge" | "strategic";

const types: Readonly<Record<string, PatchType>> = {
  [mediaTypes.jsonPatch]: "json",
  [mediaTypes.mergePatch]: "merge",
  [mediaTypes.strategicMergePatch]: "strategic",
  [mediaTypes.applyYaml]: "apply",
  [mediaTypes.applyCbor]: "apply",
};

/** Determines the patch type of a request from its Content-Type. */
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

/** A decoded patch that has not been applied yet. */
export type Patch = (write: Write) => Written;

/** Reads a patch of any type. Only apply supports several encodings. */
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
        patchWith(
          write,
          (current) => ofSameKind(current, applyStrategicMergePatch(current, patch, write.schema)),
          { ...text, show: () => goText(patch) },
        );
}

/** Decodes a patch other than an apply. */
async function decodePatch(bytes: Uint8Array, type: PatchType): Promise<unknown> {
  const problem = nestingProblem(textOf(bytes));
  if (problem !== undefined) {
    throw badRequest(
      problem.isReal ? "invalid JSON patch" : `error decoding patch: ${problem.message}`,
    );
  }
  try {
    return await codecs.json.decode(bytes, bodyDecoding);
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

/** Information about the text of a patch, for warnings and errors. */
interface PatchText {
  /** Returns the text to show in an error, given the result. Default: the result itself. */
  readonly show?: ((outcome: JsonObject) => string) | undefined;
  readonly duplicateFields?: readonly string[] | undefined;
}

/** The result of patching an object that is not stored, to be admitted. */
export interface PlainPatched {
  readonly object: JsonObject;
  readonly provenance: Provenance;
}

/** Reads a patch for an object without mergeable lists: a strategic merge patch is applied as a merge patch. */
export async function readPlainPatch(
  type: Exclude<PatchType, "apply">,
  body: Uint8Array | undefined,
): Promise<(current: JsonObject) => PlainPatched> {
  const bytes = bodyBytes(body);
  const patch = await decodePatch(bytes, type);
  const patched = (object: unknown, text: PatchText): PlainPatched => {
    if (!isJsonObject(object)) {
      throw unfit();
    }
    return { object, provenance: provenanceOf(object, text, false) };
  };
  if (type === "json") {
    const operations = readOperations(patch);
    return (current) =>
      patched(
        fitted(() => applyJsonPatch(current, operations)),
        {},
      );
  }
  assertMap(patch);
  const text = { duplicateFields: duplicateFields(textOf(bytes)) };
  return type === "merge"
    ? (current) => patched(applyMergePatch(current, patch), text)
    : (current) =>
        patched(ofSameKind(current, applyMergePatch(current, patch)), {
          ...text,
          show: () => goText(patch),
        });
}

/** Restores apiVersion and kind: a strategic merge patch applies to a Go value, which has no fields for them. */
function ofSameKind({ apiVersion, kind }: JsonObject, patched: unknown): unknown {
  return isJsonObject(patched) ? { ...patched, apiVersion, kind } : patched;
}

/** Maps any failure to apply a patch to a 422 without details. */
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
  const provenance = provenanceOf(patched, { duplicateFields, show }, custom);
  const admitted = admit(write, beforeSchema(patched, resource), provenance);
  return updateObject({ ...write, patch: true }, admitted);
}

function provenanceOf(
  outcome: JsonObject,
  { show, duplicateFields }: PatchText,
  custom: boolean,
): Provenance {
  return {
    duplicateFields,
    json: () => stringifyJson(sortedKeys(outcome)),
    refuse: (why) =>
      unreadablePatch(
        show?.(outcome) ?? showObject(custom ? outcome : withoutNulls(outcome), custom),
        why,
      ),
  };
}
