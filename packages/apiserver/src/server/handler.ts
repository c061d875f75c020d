import { KubeError } from "@typekube/core";
import type { HttpRequest, HttpResponse } from "@typekube/core/internal";
import { accessAttributes } from "../access/access-attributes.js";
import { authenticate, type Caller } from "../access/authenticate.js";
import { impersonate } from "../access/impersonate.js";
import { accessDenied } from "../access/refusals.js";
import type { ServerContext } from "../context/server-context.js";
import { failure, noSuchResource, StatusError } from "../errors/status-errors.js";
import type { FaultRule } from "../faults/fault-rule.js";
import { spoiled, strike } from "../faults/strike.js";
import { type Journal, type JournalEntry, responded } from "../journal/journal.js";
import type { User } from "../objects/user.js";
import { connectPod } from "../pod-streams/connect-pod.js";
import type { PodHandlers } from "../pod-streams/pod-handlers.js";
import { connectProxy } from "../proxy/connect-proxy.js";
import { assertTimeout } from "../request/assert-timeout.js";
import { overflowed } from "../request/body-nesting.js";
import { deprecationOf } from "../request/deprecation.js";
import { errorFormat, formatRequestOf } from "../request/negotiation.js";
import {
  groupVersionOf,
  type ResourceRequest,
  resourceRequest,
  type SplitPath,
  splitPath,
} from "../request/request-info.js";
import { plainJson } from "../request/response-format.js";
import type { Upgrade } from "../request/upgrade.js";
import { isWhole, wholeRequest } from "../request/whole-request.js";
import { objectResponse } from "../response/responses.js";
import { warningHeaders } from "../response/warnings.js";
import { admitConnection } from "./admit-connection.js";
import { handleDiscovery, notFoundPage } from "./discovery/handle-discovery.js";
import { handleResource } from "./handle-resource.js";
import type { Metrics } from "./metrics.js";
import type { Follower } from "./replicas/follower.js";
import { contextFor, staleContext } from "./replicas/lagging-context.js";

/** Journal, metrics and pod handlers of a server. */
export interface HandlerHooks {
  readonly journal: Journal;
  readonly metrics: Metrics;
  readonly pods: PodHandlers;
}

/** The connection over which a request arrived. */
export interface Arrival {
  readonly caller: Caller;
  /** Upgrades the connection to a WebSocket, if the client requested that. */
  readonly upgrade?: Upgrade | undefined;
  /** The lagging replica that received the request, if any. */
  readonly follower?: Follower | undefined;
}

/** Handles one request. */
export type Handler = (http: HttpRequest, arrival: Arrival) => Promise<HttpResponse>;

/** Creates the handler for requests in process and through listeners. */
export function createHandler(server: ServerContext, hooks: HandlerHooks): Handler {
  const { journal, metrics, pods } = hooks;
  const { faults, work } = server;
  return async (http, { caller, upgrade, follower }) => {
    // Streams add abort listeners; a shared signal would leak them.
    const signal = http.signal ?? (http.mode !== "call" ? new AbortController().signal : never);
    signal.throwIfAborted();
    server.closing.throwIfAborted();
    const begun = server.clock.now();
    const split = splitPath(http.path);
    const user = attempt(() => userOf(server, http, caller, split));
    const found = attempt(() => readRequest(server, http, split));
    const entry = journalEntry(http, found.value, caller, user.value);
    journal.add(entry);
    const rule = faults.strike(entry);
    const reply = async (): Promise<HttpResponse> => {
      assertTimeout(split.query, found.value);
      if (user.value === undefined) {
        throw user.error;
      }
      authorize(server, user.value, http, split);
      if (found.error !== undefined) {
        throw found.error;
      }
      if (found.value !== undefined) {
        const request = { ...found.value, user: user.value };
        await admitConnection(server, request, entry);
        return await (connectPod({ server, pods, request, signal, upgrade }) ??
          connectProxy({ server, pods, request, http, signal, upgrade }) ??
          responseFrom({ server, follower, rule }, request, async (context) =>
            handleResource(
              context,
              request,
              isWhole(http) ? http : await wholeRequest(http),
              signal,
              { entry, rule, upgrade },
            ),
          ));
      }
      if (split.path === "/metrics" && http.method === "GET") {
        return metrics.response();
      }
      return (await handleDiscovery(server, http, split)) ?? unknownPath(server, split);
    };
    work.begin();
    try {
      const received = (error: unknown) => errorResponse(server, error, http, split);
      const response =
        rule === undefined
          ? await reply().catch(received)
          : await strike(server, rule, signal, (refusal) =>
              (refusal === undefined ? reply() : Promise.reject(refusal)).catch(received),
            );
      Object.assign(entry, responded(response, server.clock.now() - begun));
      const { value: request } = found;
      metrics.count(entry, request !== undefined && deprecationOf(request.resource) !== undefined);
      signal.throwIfAborted();
      const counted = isLong(entry, response) ? counting(response, metrics, entry) : response;
      return rule === undefined ? counted : spoiled(counted, rule, server, signal);
    } finally {
      work.end();
    }
  };
}

/** The state that a request may see: the current one, a follower's, or the one before a number of writes. */
interface Sight {
  readonly server: ServerContext;
  readonly follower: Follower | undefined;
  readonly rule: FaultRule | undefined;
}

function responseFrom(
  { server, follower, rule }: Sight,
  request: ResourceRequest,
  response: (context: ServerContext) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return rule?.staleBy === undefined
    ? response(contextFor(server, follower, request))
    : respondStale(server, rule.staleBy, response);
}

async function respondStale(
  server: ServerContext,
  writes: number,
  response: (context: ServerContext) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { context, follower: stale } = staleContext(server, writes);
  try {
    return await response(context);
  } finally {
    stale.catchUp();
  }
}

const never = new AbortController().signal;

/** Returns the user of a request, after impersonation. */
function userOf(
  { access, gates }: ServerContext,
  http: HttpRequest,
  caller: Caller,
  split: SplitPath,
): User {
  const sender = authenticate(access, http, caller);
  const action = () => accessAttributes(http.method, split);
  return impersonate(
    access.authorizer,
    sender,
    http.headers,
    gates.ConstrainedImpersonation ? action : undefined,
  );
}

/** Checks permissions. Real servers do so before they know whether the resource exists. */
function authorize(
  { access }: ServerContext,
  user: User,
  http: HttpRequest,
  split: SplitPath,
): void {
  if (!access.checksRights) {
    return;
  }
  const what = accessAttributes(http.method, split);
  const { allowed, reason } = access.authorizer.authorize(user, what);
  if (!allowed) {
    throw accessDenied(user, what, reason);
  }
}

/** Parses a resource request: any path below a served group-version. `undefined` for discovery and unknown paths. */
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

/** Returns the journal entry. Entries are many, so all have the same keys in the same order, which engines optimize. */
function journalEntry(
  { method, path, headers, body }: HttpRequest,
  request: ResourceRequest | undefined,
  { protocol }: Caller,
  user: User | undefined,
): JournalEntry {
  return {
    verb: request?.verb ?? method.toLowerCase(),
    method,
    path,
    group: request?.resource.group,
    version: request?.resource.version,
    resource: request?.resource.plural,
    subresource: request?.subresource || undefined,
    namespace: request?.namespace || undefined,
    name: request?.name || undefined,
    userAgent: headers["user-agent"],
    user: user?.name,
    protocol,
    bodyBytes: body instanceof Uint8Array ? body.byteLength : 0,
    status: undefined,
    encoding: undefined,
    durationMs: undefined,
    auditAnnotations: undefined,
  };
}

/** Returns whether a response remains open. */
function isLong({ verb, subresource }: JournalEntry, { status }: HttpResponse): boolean {
  return (
    status === 101 ||
    subresource === "proxy" ||
    (status === 200 && (verb === "watch" || subresource === "log"))
  );
}

/** Counts a response as open until its body ends. */
function counting(response: HttpResponse, metrics: Metrics, entry: JournalEntry): HttpResponse {
  const { body } = response;
  return {
    ...response,
    body: {
      [Symbol.asyncIterator]() {
        const end = metrics.begin(entry);
        const source = body[Symbol.asyncIterator]();
        return {
          async next() {
            try {
              const result = await source.next();
              if (result.done) {
                end();
              }
              return result;
            } catch (error) {
              end();
              throw error;
            }
          },
          async return() {
            end();
            return (await source.return?.()) ?? { done: true, value: undefined };
          },
        };
      },
    },
  };
}

/** Returns whether a value was nested too deep for the stack, or for a limit. */
function isTooDeep(error: unknown): boolean {
  return (
    (error instanceof RangeError && /call stack/i.test(error.message)) ||
    (error instanceof KubeError && error.code === "TooLarge")
  );
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
  const { status, warnings } =
    error instanceof StatusError
      ? error
      : isTooDeep(error)
        ? overflowed()
        : failure(500, "InternalError", `Internal error occurred: ${(error as Error).message}`, {
            causes: [{ message: (error as Error).message }],
          });
  const retryAfter = status.details?.retryAfterSeconds;
  const more = {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...warningHeaders(warnings),
  };
  const format = errorFormat(formatRequestOf(headers, query), gates);
  const code = status.code ?? 500;
  return objectResponse(code, status, format, more).catch(() =>
    objectResponse(code, status, plainJson, more),
  );
}
