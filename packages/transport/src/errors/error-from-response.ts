import {
  isStatus,
  KubeError,
  type KubeErrorCode,
  type RedactedResource,
  type Status,
} from "@typekube/core";
import {
  type Clock,
  codecs,
  codeFromHttpStatus,
  collectPrefix,
  defaultLimits,
  errorFromStatus,
  type HttpRequest,
  type HttpResponse,
  type Limits,
  parseMediaType,
  systemClock,
} from "@typekube/core/internal";
import { responseMarks } from "../response/response-marks.js";
import { parseRetryAfter } from "../response/retry-after.js";
import { describeRequest } from "./describe-request.js";

/** Bytes of a text body that become the cause, as in client-go. */
const maxTextBytes = 2048;
/** Characters of an HTML page that an error message shows. */
const maxPageCharacters = 200;

/** Options of {@link errorFromResponse}. */
export interface ErrorFromResponseOptions {
  readonly limits?: Partial<Limits> | undefined;
  readonly clock?: Clock | undefined;
  /** Resources, in addition to Secrets, whose values must not appear in errors. */
  readonly redactErrors?: readonly RedactedResource[] | undefined;
}

/**
 * Converts an error response to a KubeError and consumes its body. A Status in the body determines the error, in any
 * encoding. Any other body is shown as far as client-go shows it, and the HTTP status determines the code.
 */
export async function errorFromResponse(
  request: HttpRequest,
  response: HttpResponse,
  options: ErrorFromResponseOptions = {},
): Promise<KubeError> {
  const maxBytes = options.limits?.maxErrorBodyBytes ?? defaultLimits.maxErrorBodyBytes;
  const now = (options.clock ?? systemClock).now();
  const context = {
    request: { ...describeRequest(request), ...responseMarks(response) },
    httpStatus: response.status,
    retryAfterMs: parseRetryAfter(response.headers["retry-after"], now),
  };
  let bytes: Uint8Array;
  try {
    bytes = await collectPrefix(response.body, maxBytes);
  } catch (error) {
    if (request.signal?.aborted) {
      throw error;
    }
    return new KubeError(codeFromHttpStatus(response.status, request.method), generic(response), {
      ...context,
      cause: error,
    });
  }
  const status = await decodeStatus(response, bytes, options.limits);
  if (status) {
    return errorFromStatus(status, { ...context, redactErrors: options.redactErrors });
  }
  const { code, message, hint, text } = readText(request, response, bytes);
  const cause = text === "" ? undefined : new Error(text);
  return new KubeError(code, message, { ...context, cause, hint: redirectHint(response) ?? hint });
}

/**
 * Throws unless the response is a 2xx.
 *
 * An HTML page in place of an API encoding is an error too: it may be the login page of a gateway.
 */
export async function ensureOk(
  request: HttpRequest,
  response: HttpResponse,
  options: ErrorFromResponseOptions = {},
): Promise<void> {
  const ok = response.status >= 200 && response.status < 300;
  if (!ok || (isHtml(response) && request.headers["accept"]?.includes("application/"))) {
    throw await errorFromResponse(request, response, options);
  }
}

async function decodeStatus(
  response: HttpResponse,
  bytes: Uint8Array,
  limits: Partial<Limits> | undefined,
): Promise<Status | undefined> {
  const codec = codecs.forContentType(response.headers["content-type"] ?? "");
  if (!codec || bytes.byteLength === 0) {
    return undefined;
  }
  try {
    const value = await codec.decode(bytes, { limits });
    return isStatus(value) ? value : undefined;
  } catch {
    // An error body need not be readable: the HTTP status determines the error then.
    return undefined;
  }
}

interface Reading {
  readonly code: KubeErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Text of the body; becomes the cause. */
  readonly text: string;
}

function readText(request: HttpRequest, response: HttpResponse, bytes: Uint8Array): Reading {
  const { status } = response;
  const code = codeFromHttpStatus(status, request.method);
  const { essence } = parseMediaType(response.headers["content-type"] ?? "");
  const text = essence.endsWith("json")
    ? messageOfJson(bytes)
    : // Go's server sets no content type when it rejects plain HTTP on a TLS port.
      essence === "" || essence.startsWith("text/")
      ? decodeText(bytes.subarray(0, maxTextBytes))
      : "";
  if (isHtml(response)) {
    return readPage(code, status, text);
  }
  if (status === 400 && /HTTP request (?:to an|was sent to an?|was sent to) HTTPS/i.test(text)) {
    return {
      code: "Tls",
      message: "the server speaks https only",
      hint: "the address must begin with https://",
      text,
    };
  }
  const showsText = status === 403 || status === 406 || status === 415;
  const message = showsText && text !== "" ? text : generic(response);
  return { code, message, text };
}

/** Message fields of gateways and servers other than Kubernetes: Rancher, OpenShift, OAuth 2, Envoy. */
const messageFields = ["message", "error_description", "detail", "error"] as const;

/** Returns the message of a JSON error that is not a Status, truncated like texts; "" when it has none. */
function messageOfJson(bytes: Uint8Array): string {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return "";
  }
  if (typeof body !== "object" || body === null) {
    return "";
  }
  const inner = (body as { readonly error?: unknown }).error;
  for (const holder of [body, inner] as Readonly<Record<string, unknown>>[]) {
    for (const field of messageFields) {
      const message = typeof holder === "object" ? holder?.[field] : undefined;
      if (typeof message === "string" && message.trim() !== "") {
        return decodeText(Buffer.from(message).subarray(0, maxTextBytes));
      }
    }
  }
  return "";
}

/** Returns a hint with the target of a redirect, without path and query, where gateways put tokens. */
function redirectHint({ status, headers }: HttpResponse): string | undefined {
  const location = headers["location"];
  if (status < 300 || status >= 400 || location === undefined) {
    return undefined;
  }
  const to = URL.canParse(location) ? new URL(location).origin : "another path";
  return `it redirects to ${to}, and redirects are not followed: connect to that address instead`;
}

/**
 * Classifies an HTML page from something in front of the server. The HTTP status still counts for 401, 403, 429 and
 * 5xx.
 */
function readPage(code: KubeErrorCode, status: number, page: string): Reading {
  const keepsCode = status === 401 || status === 403 || status === 429 || status >= 500;
  const shown = page.replace(/\s+/g, " ").slice(0, maxPageCharacters);
  return {
    code: keepsCode ? code : "NotKubernetes",
    message: `an HTML page came with HTTP ${status} instead of an API response: ${shown}`,
    hint: "the response may come from a gateway, a proxy or a login page",
    text: page,
  };
}

const messages: Readonly<Record<number, string>> = {
  400: "the server rejected the request without a reason",
  401: "the server requires credentials, or rejected those that were sent",
  403: "the server forbids this request",
  404: "the server does not serve this path",
  405: "the server does not allow this method for this path",
  406: "the server supports none of the accepted encodings",
  409: "the server reports a conflict",
  410: "the requested resource is gone",
  413: "the request is larger than the server accepts",
  415: "the server does not support the encoding of the request",
  422: "the server cannot process the request",
  429: "the server received too many requests and asks to retry later",
  503: "the server cannot handle the request at the moment",
  504: "the server timed out",
};

function generic({ status }: HttpResponse): string {
  const text = messages[status];
  if (text) {
    return text;
  }
  return status >= 500
    ? `an error on the server (HTTP ${status}) kept the request from succeeding`
    : `the server returned the unexpected HTTP status ${status}`;
}

function isHtml(response: HttpResponse): boolean {
  const contentType = response.headers["content-type"] ?? "";
  return /html/i.test(contentType) && parseMediaType(contentType).essence === "text/html";
}

/** Decodes text and drops a character that the size limit has split. */
function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).trim();
}
