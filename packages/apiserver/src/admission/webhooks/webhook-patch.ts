import { codecs } from "@typekube/core/internal";
import type { ReturnedPatch } from "../../context/attempts.js";
import { internalError } from "../../errors/status-errors.js";
import { illegalBase64At } from "../../objects/base64.js";
import { getPath, isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { applyJsonPatch, type JsonPatchOperation } from "../../phases/patch/json-patch.js";
import { WebhookCallError } from "./webhook-errors.js";

const noPatch: ReturnedPatch = { operations: [] };

/**
 * Decodes the patch in the reply of a webhook.
 *
 * @throws {Error} for a patch that is not in base64.
 */
export async function decodePatch(reply: unknown): Promise<ReturnedPatch> {
  const patch = getPath(reply, "response", "patch");
  if (typeof patch !== "string" || patch === "") {
    return noPatch;
  }
  const illegalAt = illegalBase64At(patch);
  if (illegalAt !== undefined) {
    throw new Error(`illegal base64 data at input byte ${illegalAt}`);
  }
  try {
    const decoded = await codecs.json.decode(Buffer.from(patch, "base64"));
    return Array.isArray(decoded)
      ? { operations: objectsOf(decoded) }
      : { problem: "json: cannot unmarshal object into Go value of type jsonpatch.Patch" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function readOperation({ op, path, from, value }: JsonObject): JsonPatchOperation {
  return {
    op: String(op),
    path: String(path),
    ...(typeof from === "string" ? { from } : {}),
    ...(value === undefined ? {} : { value }),
  };
}

/** A patch and who returned it. */
export interface PatchOfWebhook {
  /** Name of the webhook. */
  readonly webhook: string;
  readonly patchType: string;
  readonly patch: ReturnedPatch;
}

/**
 * Returns the object that a webhook has patched, not decoded yet; `undefined` when there is nothing to apply.
 *
 * @throws {WebhookCallError} for an undecodable patch, and one of another type than `JSONPatch`.
 * @throws {StatusError} 500 for a patch that can't be applied.
 */
export function patchedBy(
  { webhook, patchType, patch }: PatchOfWebhook,
  object: JsonObject | undefined,
): JsonObject | undefined {
  if ("problem" in patch) {
    const why = `received undecodable patch in webhook response: ${patch.problem}`;
    throw new WebhookCallError(webhook, why);
  }
  if (patch.operations.length === 0) {
    return undefined;
  }
  if (object === undefined) {
    throw internalError(
      `admission webhook ${JSON.stringify(webhook)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (patchType !== "JSONPatch") {
    throw new WebhookCallError(webhook, `unsupported patch type ${JSON.stringify(patchType)}`);
  }
  return applied(object, patch.operations.map(readOperation));
}

function applied(object: JsonObject, operations: readonly JsonPatchOperation[]): JsonObject {
  let patched: unknown;
  try {
    patched = applyJsonPatch(object, operations);
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error));
  }
  if (!isJsonObject(patched)) {
    throw internalError("json: cannot unmarshal a patched object that is not an object");
  }
  return patched;
}
