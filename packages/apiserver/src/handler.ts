import type { HttpRequest, HttpResponse, HttpSend } from "@typekube/core";
import { connectionReset, cutResponse, type Faults, faultError, faultEvent } from "./faults.js";
import { handleDiscovery, notFoundPage } from "./handle-discovery.js";
import { handleResource } from "./handle-resource.js";
import { encodingOf, type JournalEntry } from "./journal.js";
import { askingOf, errorFormat } from "./negotiation.js";
import {
  groupVersionOf,
  type ResourceRequest,
  resourceRequest,
  type SplitPath,
  splitPath,
} from "./request-info.js";
import { plainJson } from "./response-format.js";
import { objectResponse } from "./responses.js";
import type { ServerContext } from "./server-context.js";
import { failure, noSuchResource, StatusError } from "./status-errors.js";

/** What the handler writes down and obeys besides the server's state. */
export interface HandlerHooks {
  readonly faults: Faults;
  readonly journal: JournalEntry[];
}

/** Makes the one function that answers requests, in process and behind the listener. */
export function createHandler(server: ServerContext, { faults, journal }: HandlerHooks): HttpSend {
  return async (http) => {
    const signal = http.signal ?? never;
    signal.throwIfAborted();
    server.closing.throwIfAborted();
    const split = splitPath(http.path);
    const found = attempt(() => readRequest(server, http, split));
    const entry = journalEntry(http, found.value);
    journal.push(entry);
    const rule = faults.strike(entry);
    if (rule?.reset) {
      throw connectionReset();
    }
    if (rule?.hang) {
      return aborted(signal, server.closing);
    }
    const answer = async (): Promise<HttpResponse> => {
      if (rule?.status !== undefined) {
        throw faultError(rule);
      }
      if (found.error !== undefined) {
        throw found.error;
      }
      if (found.value !== undefined) {
        return handleResource(
          server,
          found.value,
          http,
          signal,
          rule === undefined ? undefined : faultEvent(rule),
        );
      }
      return (await handleDiscovery(server, http, split)) ?? unknownPath(server, split);
    };
    const response = await answer().catch((error: unknown) =>
      errorResponse(server, error, http, split),
    );
    Object.assign(entry, {
      status: response.status,
      encoding: encodingOf(response.headers["content-type"] ?? ""),
    });
    signal.throwIfAborted();
    return rule?.cutAfterBytes === undefined ? response : cutResponse(response, rule.cutAfterBytes);
  };
}

const never = new AbortController().signal;

/** A path below a served version is a resource; the rest is discovery or nothing. */
function readRequest(
  { registry }: ServerContext,
  { method }: HttpRequest,
  split: SplitPath,
): ResourceRequest | undefined {
  const prefix = groupVersionOf(split.segments);
  if (prefix === undefined || prefix.rest.length === 0 || !registry.groups.has(prefix.group)) {
    return undefined;
  }
  return resourceRequest(method, split, registry);
}

function attempt<T>(read: () => T): { readonly value?: T; readonly error?: unknown } {
  try {
    return { value: read() };
  } catch (error) {
    return { error };
  }
}

function unknownPath({ registry }: ServerContext, { segments }: SplitPath): HttpResponse {
  if (segments[0] === "apis" && registry.groups.has(segments[1] ?? "")) {
    throw noSuchResource();
  }
  return notFoundPage();
}

function journalEntry(
  { method, path, headers }: HttpRequest,
  request: ResourceRequest | undefined,
): JournalEntry {
  const common = { method, path, userAgent: headers["user-agent"] };
  return request === undefined
    ? { verb: method.toLowerCase(), ...common }
    : {
        verb: request.verb,
        ...common,
        resource: request.resource.plural,
        subresource: request.subresource || undefined,
        namespace: request.namespace || undefined,
        name: request.name || undefined,
      };
}

async function errorResponse(
  { gates }: ServerContext,
  error: unknown,
  { headers, signal }: HttpRequest,
  { query }: SplitPath,
): Promise<HttpResponse> {
  if (signal?.aborted) {
    throw signal.reason;
  }
  const { status } =
    error instanceof StatusError
      ? error
      : failure(500, "InternalError", `Internal error occurred: ${(error as Error).message}`, {
          causes: [{ message: (error as Error).message }],
        });
  const retryAfter = status.details?.retryAfterSeconds;
  const more = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const format = errorFormat(askingOf(headers, query), gates);
  const code = status.code ?? 500;
  return objectResponse(code, status, format, more).catch(() =>
    objectResponse(code, status, plainJson, more),
  );
}

function aborted(...signals: readonly AbortSignal[]): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of signals) {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }
  });
}
