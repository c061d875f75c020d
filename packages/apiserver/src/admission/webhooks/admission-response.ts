import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { WebhookType } from "./admission-webhook.js";

/** A verified response of a webhook. */
export interface AdmissionResponse {
  readonly isAllowed: boolean;
  /** `response.status`. */
  readonly result: unknown;
  /** The patch in base64; empty for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The review that a response must belong to. */
export interface ExpectedReview {
  /** `admission.k8s.io/v1` or `admission.k8s.io/v1beta1`. */
  readonly apiVersion: string;
  readonly uid: string;
  readonly type: WebhookType;
}

/**
 * Verifies the response of a webhook. (apiserver `VerifyAdmissionResponse`)
 *
 * @throws {Error} with the message of a real server.
 */
export function verifyResponse(reply: unknown, expected: ExpectedReview): AdmissionResponse {
  const review = mapOf(reply);
  const { response } = review;
  if (!isJsonObject(response)) {
    throw new Error("webhook response was absent");
  }
  const { patch, patchType } = patchOf(review, response, expected);
  return {
    isAllowed: response["allowed"] === true,
    result: response["status"],
    patch,
    patchType,
    warnings: stringsOf(response["warnings"]),
    auditAnnotations: textsOf(response["auditAnnotations"]),
  };
}

interface GivenPatch {
  readonly patch: string;
  readonly patchType: string;
}

const noPatch: GivenPatch = { patch: "", patchType: "" };

function patchOf(
  review: JsonObject,
  response: JsonObject,
  { apiVersion, uid, type }: ExpectedReview,
): GivenPatch {
  const patch = typeof response["patch"] === "string" ? response["patch"] : "";
  // Responses of v1beta1 were never verified.
  if (apiVersion.endsWith("/v1beta1")) {
    return type === "mutating" && patch !== "" ? { patch, patchType: "JSONPatch" } : noPatch;
  }
  assertSame(review, response, { apiVersion, uid });
  const { patchType } = response;
  const isTyped = patchType !== undefined && patchType !== null;
  if (type === "validating") {
    assertNoPatch(patch, isTyped);
    return noPatch;
  }
  if (patch !== "" && !isTyped) {
    throw new Error("webhook returned response.patch but not response.patchType");
  }
  if (patch === "" && isTyped) {
    throw new Error("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") {
    throw new Error('webhook returned invalid response.patchType of ""');
  }
  return { patch, patchType: isTyped ? String(patchType) : "" };
}

function assertSame(
  { apiVersion: given = "", kind = "" }: JsonObject,
  { uid: givenUid = "" }: JsonObject,
  { apiVersion, uid }: { readonly apiVersion: string; readonly uid: string },
): void {
  if (givenUid !== uid) {
    throw new Error(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(String(givenUid))}`,
    );
  }
  if (given !== apiVersion || kind !== "AdmissionReview") {
    throw new Error(
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${goKind(String(given), String(kind))}`,
    );
  }
}

/** Returns a kind as Go prints it. */
function goKind(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function assertNoPatch(patch: string, isTyped: boolean): void {
  if (patch !== "") {
    throw new Error("validating webhook may not return response.patch");
  }
  if (isTyped) {
    throw new Error("validating webhook may not return response.patchType");
  }
}

function textsOf(value: unknown): Record<string, string> {
  const texts = Object.entries(mapOf(value)).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts.map(([key, text]) => [key, String(text)]));
}
