import { KubeError } from "@typekube/core";
import {
  assertKnownOptions,
  codecs,
  collectBytes,
  defaultLimits,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  mediaTypes,
  type OptionTable,
} from "@typekube/core/internal";
import { impersonationHeaders } from "@typekube/transport";
import { ensureOk } from "@typekube/transport/internal";
import { anyCallOptions } from "../options/any-call-options.js";
import { assertCallOptions, type CallOptions } from "../options/call-options.js";
import { type HealthOptions, healthOptions } from "../options/health-options.js";
import { type CallContext, errorOptions } from "../request/call-context.js";
import { type Query, withQuery } from "../request/query.js";
import { emitWarnings } from "../request/warnings.js";

/** A request to any path of the API server. */
export interface RawRequest extends CallOptions {
  /** Default `GET`. */
  readonly method?: HttpMethod | undefined;
  /** Path below the server's base path: begins with `/`, is percent-encoded, and contains no query. */
  readonly path: string;
  /** Query parameters. A list repeats the parameter; `undefined`, `false` and `""` are left out. */
  readonly query?: Query | undefined;
  /** Additional headers, in any case. Headers for credentials, impersonation and the connection are rejected. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Bytes are sent unchanged and without a content type. Text is sent unchanged, other values as JSON, both with the
   * content type of JSON unless `headers` name another.
   */
  readonly body?: unknown;
  /** `stream` for a response that may last for hours: it has no deadline. Default `call`. */
  readonly mode?: "call" | "stream" | undefined;
}

/** A raw request accepts the options of all calls and of health requests, which are sent through it. */
const rawOptions: OptionTable<HealthOptions | RawRequest> = {
  ...anyCallOptions,
  ...healthOptions,
  body: true,
  headers: true,
  method: true,
  mode: true,
  path: true,
  query: true,
};

/**
 * Response of a raw request, a 2xx. Its body can be read once, in one of the four ways; ending the iteration early
 * frees the connection.
 */
export interface RawResponse {
  /** HTTP status, usually a 2xx. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they arrive. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Reads the whole body.
   *
   * @throws {KubeError} `TooLarge` for more than `maxBodyBytes`.
   */
  bytes(): Promise<Uint8Array>;
  /**
   * Reads the whole body as UTF-8.
   *
   * @throws {KubeError} like `bytes`.
   */
  text(): Promise<string>;
  /**
   * Reads the whole body and decodes it by its content type: JSON, YAML, CBOR or protobuf.
   *
   * @throws {KubeError} like `bytes`, and `Decode`.
   */
  object(): Promise<unknown>;
}

/** Headers that callers cannot set: credentials, impersonation, and headers of the connection. */
const ownHeaders =
  /^(authorization|proxy-authorization|impersonate-.*|host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|:.*)$/;

/**
 * Sends a request that no typed call covers, over the same connection, with the same credentials, retries and errors.
 *
 * @param isResponse - returns true for a response that is returned even though its status is not 2xx. Default: such a
 * response is thrown as an error.
 * @throws {KubeError} `InvalidArgument` for an invalid path, header or option; the error of a response whose status is
 * not 2xx.
 */
export async function sendRaw(
  context: CallContext,
  raw: RawRequest,
  isResponse: (response: HttpResponse) => boolean = () => false,
): Promise<RawResponse> {
  assertCallOptions(raw);
  assertKnownOptions("a raw request", raw, rawOptions);
  const { method = "GET", mode = "call", query = {}, signal, timeoutMs } = raw;
  const somebody = raw.impersonate ?? context.defaults.impersonate;
  const { bytes: body, contentType } = await bodyOf(raw.body);
  const request: HttpRequest = {
    method,
    path: withQuery(checkedPath(raw.path), query),
    headers: {
      accept: mediaTypes.json,
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      ...checkedHeaders(raw.headers ?? {}),
      ...(somebody ? impersonationHeaders(somebody) : {}),
    },
    body,
    mode,
    signal,
    timeoutMs: timeoutMs ?? context.defaults.timeoutMs,
  };
  const response = await context.send(request);
  try {
    emitWarnings(context, raw, response.headers["warning"]);
  } catch (error) {
    await response.body[Symbol.asyncIterator]().return?.();
    throw error;
  }
  if (!isResponse(response)) {
    await ensureOk(request, response, errorOptions(context));
  }
  const limits = { ...defaultLimits, ...context.defaults.limits };
  const bytes = () => collectBytes(response.body, limits.maxBodyBytes, "maxBodyBytes");
  return {
    status: response.status,
    headers: response.headers,
    body: response.body,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    object: async () => {
      const type = response.headers["content-type"] ?? mediaTypes.json;
      const codec = codecs.forContentType(type);
      if (codec === undefined) {
        throw new KubeError("Decode", `the server responded with ${type}, which is not an object`, {
          httpStatus: response.status,
          request: { method, path: raw.path },
        });
      }
      return codec.decode(await bytes(), { limits });
    },
  };
}

/**
 * Returns the path unchanged.
 *
 * @throws {KubeError} `InvalidArgument` for a path that could address another server or another resource, such as `//`
 * at the start or a `..` segment.
 */
export function checkedPath(path: string): string {
  const reason =
    typeof path !== "string" || !path.startsWith("/")
      ? 'must begin with "/": the client sends the request to its own server'
      : path.startsWith("//")
        ? 'must not begin with "//", which names a server'
        : /[?#]/.test(path)
          ? 'must not contain "?" or "#": pass parameters as query'
          : /[^\x21-\x7e]|[\\"<>^`{|}]/.test(path)
            ? "must be percent-encoded"
            : path.split("/").some(isDotSegment)
              ? 'must not contain "." or ".." as a segment'
              : undefined;
  if (reason !== undefined) {
    throw new KubeError("InvalidArgument", `path: ${reason}`);
  }
  return path;
}

function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  for (const [name, value] of lower) {
    if (ownHeaders.test(name)) {
      throw new KubeError("InvalidArgument", `headers: ${name} is set by the client`, {
        hint: "credentials come from the configuration; use impersonate to act as another user",
      });
    }
    if (
      typeof value !== "string" ||
      /[\0\r\n]/.test(value) ||
      !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)
    ) {
      throw new KubeError(
        "InvalidArgument",
        `headers: ${JSON.stringify(name)} has an invalid name or value`,
      );
    }
  }
  return Object.fromEntries(lower);
}

async function bodyOf(
  body: unknown,
): Promise<{ readonly bytes?: Uint8Array; readonly contentType?: string }> {
  if (body === undefined) {
    return {};
  }
  if (body instanceof Uint8Array) {
    return { bytes: body };
  }
  return {
    bytes: typeof body === "string" ? Buffer.from(body) : await codecs.json.encode(body),
    contentType: mediaTypes.json,
  };
}
