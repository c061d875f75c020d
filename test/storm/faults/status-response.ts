import type { Status } from "@typekube/core";
import { codecs, type HttpResponse } from "@typekube/core/internal";
import type { ResponseFaultKind } from "./fault.js";
import type { Tally } from "./tally.js";

/** An error response before it is written to the wire. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const failures = {
  "410-at-watch": [410, "Expired", "too old resource version"],
  "410-event": [410, "Expired", "too old resource version"],
  "410-at-continue": [410, "Expired", "The provided continue parameter is too old"],
  "429": [429, "TooManyRequests", "too many requests"],
  "429-retry-after": [429, "TooManyRequests", "too many requests"],
  "500": [500, "InternalError", "etcdserver: request timed out"],
  "503": [503, "ServiceUnavailable", "the server is shutting down"],
} as const satisfies Partial<Record<ResponseFaultKind, readonly [number, string, string]>>;

/** Kinds of faults that are an error response. */
export type RefusalKind = keyof typeof failures;

/** Returns true for a kind that is an error response. */
export function isRefusal(kind: string): kind is RefusalKind {
  return Object.hasOwn(failures, kind);
}

/** Returns true when an error response fits a request: each 410 belongs to one kind of request. */
export function fits(kind: string, path: string): boolean {
  switch (kind) {
    case "410-at-watch":
    case "410-event":
      return isWatch(path);
    case "410-at-continue":
      return isPage(path);
    default:
      return true;
  }
}

/** Returns true for a watch request, streaming lists included. */
export function isWatch(path: string): boolean {
  return /[?&]watch=(1|true)/.test(path);
}

function isPage(path: string): boolean {
  return /[?&]continue=/.test(path);
}

/** Returns true for a watch request that resumes from a resourceVersion. */
export function resumes(path: string): boolean {
  return isWatch(path) && !path.includes("sendInitialEvents");
}

/** Counts a request as a snapshot (a list's first page, a streaming list), a page or a watch. */
export function noteRequest(path: string, requests: Tally): void {
  requests.add(resumes(path) ? "watches" : isPage(path) ? "pages" : "snapshots");
}

/** Returns an error response; always JSON, which every client must be able to read. */
export async function refusal(kind: RefusalKind): Promise<Refusal> {
  const [code, reason, message] = failures[kind];
  const retryAfter = kind === "429-retry-after" ? 1 : undefined;
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    code,
    reason,
    message,
    ...(retryAfter === undefined ? {} : { details: { retryAfterSeconds: retryAfter } }),
  };
  const isEvent = kind === "410-event";
  return {
    status: isEvent ? 200 : code,
    headers: {
      "content-type": "application/json",
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: isEvent
      ? await codecs.json.encodeWatchEvent({ type: "ERROR", object: status })
      : await codecs.json.encode(status),
  };
}

/** Returns the same error response for use in process. */
export async function refusalResponse(kind: RefusalKind): Promise<HttpResponse> {
  const { status, headers, body } = await refusal(kind);
  return {
    status,
    headers,
    body: (async function* () {
      yield body;
    })(),
  };
}
