import type { KubeObject } from "@typekube/api";
import type { UserInfo } from "@typekube/api/authentication/v1";
import type { GroupVersionKind } from "@typekube/api/meta/v1";
import type { Status } from "@typekube/core";
import { isJsonObject, type JsonObject, stringifyJson } from "@typekube/core/internal";
import type { AdmissionOperation } from "../admission/admission-review.js";
import { errorStatus, isVerdict } from "../admission/error-status.js";
import {
  type AdmissionInput,
  type AdmissionOutput,
  type AnyAdmissionHandler,
  runMutators,
  runValidators,
} from "../admission/run-admission.js";
import { badRequest, type Endpoint, type EndpointReply } from "./endpoint.js";

/** Bytes of an admission review. (controller-runtime `webhook/admission/http.go`: 7 MiB) */
const maxReviewBytes = 7 * 1024 * 1024;
/** Characters of a warning that clients show in full. (admission/v1 `Warnings`) */
const advisedWarningLength = 120;

type Envelope = KubeObject & { readonly request: JsonObject };
type Phase = "mutate" | "validate";

const operations: readonly unknown[] = ["CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Returns the path of a handler's mutators or validators, in controller-runtime's form. */
export function admissionPath({ kind, name }: AnyAdmissionHandler, phase: Phase): string {
  const group = kind.group.replaceAll(".", "-");
  return `/${phase}-${group}-${kind.version}-${name}`;
}

/** Returns the paths of an admission handler. */
export function admissionEndpoints(handler: AnyAdmissionHandler): Endpoint[] {
  const { mutators, validators } = handler;
  return [
    ...(mutators.length > 0 ? [admissionEndpoint(handler, "mutate")] : []),
    ...(validators.length > 0 ? [admissionEndpoint(handler, "validate")] : []),
  ];
}

function admissionEndpoint(handler: AnyAdmissionHandler, phase: Phase): Endpoint {
  const { settings } = handler;
  const run = phase === "mutate" ? runMutators : runValidators;
  const path = admissionPath(handler, phase);
  /** The server follows the failure policy only when it gets no review. */
  const failure = (envelope: Envelope, status: Status): EndpointReply =>
    settings.failurePolicy === "Ignore"
      ? { code: status.code ?? 500, body: asObject(status), outcome: "failed" }
      : { code: 200, body: reviewed(envelope, { allowed: false, status }), outcome: "failed" };
  return {
    path,
    timeoutMs: settings.timeoutSeconds * 1_000,
    maxBodyBytes: maxReviewBytes,
    reviewGroup: "admission.k8s.io",
    reviewKind: "AdmissionReview",
    async review(envelope, signal, reports) {
      const input = inputOf(envelope.request);
      try {
        const output = await run(handler, input, signal);
        for (const warning of output.warnings) {
          if (warning.length > advisedWarningLength) {
            reports.advice(
              `a warning of ${path} has more than ${advisedWarningLength} characters: clients may cut it`,
            );
          }
        }
        return {
          code: 200,
          body: reviewed(envelope, responseOf(output)),
          outcome: output.allowed ? "allowed" : "denied",
        };
      } catch (error) {
        signal.throwIfAborted();
        const status = errorStatus(error);
        if (isVerdict(error)) {
          const body = reviewed(envelope, { allowed: false, status });
          return { code: 200, body, outcome: "denied" };
        }
        reports.panic(error);
        return failure(envelope, status);
      }
    },
    failed: (envelope, error) => failure(envelope, errorStatus(error)),
  };
}

function inputOf(request: JsonObject): AdmissionInput {
  const { uid, operation, name, namespace, userInfo, subResource } = request;
  if (typeof uid !== "string" || uid === "") {
    throw badRequest("request.uid is missing");
  }
  if (!operations.includes(operation)) {
    throw badRequest(`request.operation is not an operation: ${String(operation)}`);
  }
  return {
    uid,
    operation: operation as AdmissionOperation,
    object: objectIn(request, "object"),
    oldObject: objectIn(request, "oldObject"),
    name: textOf(name),
    namespace: textOf(namespace),
    user: (isJsonObject(userInfo) ? userInfo : {}) as UserInfo,
    dryRun: request["dryRun"] === true,
    subresource: textOf(subResource),
    requestKind: objectIn(request, "requestKind") as GroupVersionKind | undefined,
    options: objectIn(request, "options") as JsonObject | undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function objectIn(request: JsonObject, key: string): KubeObject | undefined {
  const value = request[key];
  if (value === undefined || value === null) {
    return undefined;
  }
  if (!isJsonObject(value)) {
    throw badRequest(`request.${key} is not an object`);
  }
  return value as KubeObject;
}

/** Returns the response of a review. The server rejects a patch without its type, and either in a validating webhook. */
function responseOf(output: AdmissionOutput): JsonObject {
  const { allowed, status, patch, warnings, auditAnnotations } = output;
  return {
    allowed,
    ...(status === undefined ? {} : { status }),
    ...(patch.length === 0
      ? {}
      : {
          patch: Buffer.from(stringifyJson(patch)).toString("base64"),
          patchType: "JSONPatch",
        }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(Object.keys(auditAnnotations).length === 0 ? {} : { auditAnnotations }),
  };
}

/** Returns a review in the version of the request, with its uid. */
function reviewed({ apiVersion, kind, request }: Envelope, response: JsonObject): JsonObject {
  return { apiVersion, kind, response: { uid: request["uid"], ...response } };
}

function asObject(status: Status): JsonObject {
  return { apiVersion: "v1", kind: "Status", metadata: {}, ...status };
}
