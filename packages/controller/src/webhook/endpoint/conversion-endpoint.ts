import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { ConversionHandler } from "../conversion/conversion.js";
import { runConversion } from "../conversion/run-conversion.js";
import { badRequest, type Endpoint, type EndpointReply } from "./endpoint.js";

/** Bytes of a conversion review, which has all objects of a list. */
const maxConversionBytes = 256 * 1024 * 1024;
/** Milliseconds that API servers wait for a conversion. (apiextensions-apiserver `webhookConverterFactory`: 30 s) */
const conversionTimeoutMs = 30_000;

type Envelope = KubeObject & { readonly request: JsonObject };

/** Path of all conversions, as in controller-runtime. */
export const conversionPath = "/convert";

/** Returns the path at which the objects of all given kinds are converted. */
export function conversionEndpoint(handlers: readonly ConversionHandler[]): Endpoint {
  const byKind = new Map(handlers.map((one) => [`${one.kind.group}/${one.kind.kind}`, one]));
  return {
    path: conversionPath,
    timeoutMs: conversionTimeoutMs,
    maxBodyBytes: maxConversionBytes,
    reviewGroup: "apiextensions.k8s.io",
    reviewKind: "ConversionReview",
    async review(envelope, signal, reports) {
      const { desiredAPIVersion: desired, objects, uid } = envelope.request;
      if (typeof uid !== "string" || typeof desired !== "string" || !isListOfObjects(objects)) {
        throw badRequest("the request needs uid, desiredAPIVersion and objects");
      }
      try {
        const handler = handlerFor(byKind, objects, desired);
        const output =
          handler === undefined
            ? { objects: [], kept: [] }
            : await runConversion(handler, objects, desired, signal);
        for (const error of output.kept) {
          reports.conversionFailure(true, error);
        }
        return {
          code: 200,
          body: responseOf(envelope, "Success", { convertedObjects: output.objects }),
          outcome: output.kept.length > 0 ? "kept" : "converted",
        };
      } catch (error) {
        signal.throwIfAborted();
        reports.conversionFailure(false, KubeError.from(error));
        return failure(envelope, error);
      }
    },
    failed: failure,
  };
}

function isListOfObjects(value: unknown): value is KubeObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

function handlerFor(
  byKind: ReadonlyMap<string, ConversionHandler>,
  objects: readonly KubeObject[],
  desired: string,
): ConversionHandler | undefined {
  const [group] = desired.split("/");
  const [first] = objects;
  if (first === undefined) {
    return undefined;
  }
  const other = objects.find(({ kind }) => kind !== first.kind);
  if (other !== undefined) {
    throw new KubeError("Invalid", `the objects have two kinds: ${first.kind} and ${other.kind}`);
  }
  const handler = byKind.get(`${group}/${first.kind}`);
  if (handler === undefined) {
    throw new KubeError("Invalid", `no conversion is defined for ${group}/${first.kind}`);
  }
  return handler;
}

function failure(envelope: Envelope, error: unknown): EndpointReply {
  const message = KubeError.from(error).rawMessage;
  return {
    code: 200,
    body: responseOf(envelope, "Failure", { convertedObjects: [] }, message),
    outcome: "failed",
  };
}

function responseOf(
  { apiVersion, kind, request }: Envelope,
  status: "Failure" | "Success",
  more: JsonObject,
  message?: string,
): JsonObject {
  const result = { status, ...(message === undefined ? {} : { message }) };
  return { apiVersion, kind, response: { uid: request["uid"], ...more, result } };
}
