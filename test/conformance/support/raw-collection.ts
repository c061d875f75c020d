import assert from "node:assert/strict";
import { mediaTypes } from "@typekube/core/internal";
import type { ConformanceContext } from "../conformance-case.js";
import { type RawResponse, rawRequest } from "./raw-request.js";

type Body = Readonly<Record<string, unknown>>;

/** Raw requests to one collection. Places below it are `""`, `/a`, `/a/status?force=true`. */
export interface RawCollection {
  get(place: string): Promise<RawResponse>;
  post(place: string, body: Body): Promise<RawResponse>;
  put(place: string, body: Body): Promise<RawResponse>;
  /** Sends a merge patch. */
  merge(place: string, body: Body): Promise<RawResponse>;
  strategic(place: string, body: Body): Promise<RawResponse>;
  delete(place: string, body?: Body): Promise<RawResponse>;
}

/** Returns the collection at a path, in which `%` stands for the case's namespace. */
export function rawCollection(
  context: Pick<ConformanceContext, "client" | "namespace" | "signal">,
  path: string,
): RawCollection {
  const collection = path.replace("%", `namespaces/${context.namespace}`);
  const send =
    (method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT", contentType?: string) =>
    (place: string, body?: Body) =>
      rawRequest(context, {
        method,
        path: `${collection}${place}`,
        ...(body === undefined ? {} : { body, contentType: contentType ?? mediaTypes.json }),
      });
  return {
    get: send("GET"),
    post: send("POST"),
    put: send("PUT"),
    merge: send("PATCH", mediaTypes.mergePatch),
    strategic: send("PATCH", mediaTypes.strategicMergePatch),
    delete: send("DELETE"),
  };
}

/** Expects a success and returns the object in the response. */
export async function accepted<T = Record<string, unknown>>(
  response: Promise<RawResponse>,
): Promise<T> {
  const { status, text, json } = await response;
  assert.ok(status >= 200 && status < 300, `${status}: ${text}`);
  return json<T>();
}

/** Expects an error response and returns its HTTP status and message. */
export async function refused(
  response: Promise<RawResponse>,
): Promise<[status: number, why: string]> {
  const { status, text, json } = await response;
  assert.ok(status >= 400, `${status}: ${text}`);
  return [status, json<{ message?: string }>().message ?? ""];
}
