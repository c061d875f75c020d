import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock, HttpRequest, HttpResponse } from "@typekube/core/internal";
import type { Caller } from "../access/authenticate.js";
import { entityTooLarge, failure, type StatusError } from "../errors/status-errors.js";
import { plainJson } from "../request/response-format.js";
import { objectResponse, textResponse } from "../response/responses.js";
import type { Handler } from "../server/handler.js";
import { certifiedUser } from "../tls/certified-user.js";
import { afterDeadline } from "./deadline.js";
import {
  hasBody,
  headersOf,
  headOf,
  type Incoming,
  type Outgoing,
  readRequest,
  streamedRequest,
  writeResponse,
} from "./http-message.js";
import type { ListenLimits, ListenOptions } from "./listen-options.js";
import { isFromOtherSite } from "./other-site.js";
import { isProxied, staysOpen } from "./without-upgrade.js";

/** The handler, limits and identity settings that requests of one listener share. */
export interface ListenerContext {
  readonly clock: Clock;
  readonly handler: Handler;
  readonly limits: ListenLimits;
  /** `true` when streaming lists are compressed for clients that accept it (gate `WatchListCompression`). */
  readonly compressesStreamingLists: boolean;
  /** `true` when a client certificate may contain its user's UID (gate `AllowParsingUserUIDFromCertAuth`). */
  readonly readsCertifiedUids: boolean;
  /** Returns whether the server can authenticate a request. */
  readonly isKnown: (request: Pick<HttpRequest, "headers">, caller: Caller) => boolean;
  /** User of requests without credentials; absent: they are rejected. */
  readonly otherwise: Caller["otherwise"];
  /** Options of the listener. */
  readonly options: Pick<ListenOptions, "allowRemote" | "host">;
  readonly watchers: { open: number };
}

/** Reads a request, handles it and sends the response, within the listener's limits. */
export async function serveRequest(
  context: ListenerContext,
  incoming: Incoming,
  outgoing: Outgoing,
): Promise<void> {
  const closed = new AbortController();
  outgoing.on("close", () => closed.abort(new Error("the client closed the connection")));
  const { limits, watchers } = context;
  const isWatcher = staysOpen(incoming);
  watchers.open += isWatcher ? 1 : 0;
  try {
    if (isWatcher && watchers.open > limits.maxWatchers) {
      await writeResponse(await tooManyWatches(), incoming, outgoing);
      return;
    }
    const caller = callerOf(context, incoming);
    if (hasBody(incoming) && !context.isKnown({ headers: headersOf(incoming) }, caller)) {
      // Like real servers, don't buffer the body of an unauthenticated request.
      await writeResponse(
        await context.handler(headOf(incoming, closed.signal), { caller }),
        incoming,
        outgoing,
      );
      await flushed(outgoing);
      endStream(outgoing);
      return;
    }
    const isPassedOn = isProxied(incoming);
    const request = isPassedOn
      ? streamedRequest(incoming, closed.signal)
      : await arrived(context, readRequest(incoming, closed.signal, limits.maxBodyBytes));
    if (request === "late") {
      await refuseLate(incoming, outgoing);
      return;
    }
    if (request.body instanceof Uint8Array && request.body.byteLength > limits.maxBodyBytes) {
      const tooLarge = await refusal(entityTooLarge(`limit is ${limits.maxBodyBytes}`));
      await writeResponse(tooLarge, incoming, outgoing);
      return;
    }
    const response = await context.handler(request, { caller });
    // Watches, followed logs and proxied responses may last for hours; other responses are dropped if the client does not read them in
    // time.
    const takeBack =
      isWatcher || isPassedOn
        ? () => {}
        : afterDeadline(context.clock, limits.requestTimeoutMs, () => reset(incoming, outgoing));
    try {
      await writeResponse(response, incoming, outgoing, context);
      await flushed(outgoing);
    } finally {
      takeBack();
    }
  } catch {
    // Any failure while responding resets the connection, so that the client can't take the response for complete.
    reset(incoming, outgoing);
  } finally {
    watchers.open -= isWatcher ? 1 : 0;
  }
}

/** Returns 429 for a watch beyond `maxWatchers`. */
export function tooManyWatches(): Promise<HttpResponse> {
  const text = "Too many requests, please try again later.";
  return refusal(failure(429, "TooManyRequests", text, { retryAfterSeconds: 1 }));
}

/** Waits for the request until the request timeout. */
async function arrived(
  { clock, limits }: ListenerContext,
  reading: Promise<HttpRequest>,
): Promise<HttpRequest | "late"> {
  let cancel = () => {};
  const late = new Promise<"late">((resolve) => {
    cancel = afterDeadline(clock, limits.requestTimeoutMs, () => resolve("late"));
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    cancel();
  }
}

/** Sends a timeout like real servers: a Status without `kind`, as text. Does not wait for the rest of the request. */
async function refuseLate(incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const message = "request did not complete within the allotted timeout";
  const {
    kind: _,
    apiVersion: __,
    ...status
  } = failure(504, "Timeout", `Timeout: ${message}`, {}).status;
  const response = textResponse(504, `${JSON.stringify(status)}\n`);
  const headers = {
    ...response.headers,
    ...(incoming.httpVersionMajor < 2 ? { connection: "close" } : {}),
  };
  await writeResponse({ ...response, headers }, incoming, outgoing);
  await flushed(outgoing);
  endStream(outgoing);
}

/**
 * Closes an HTTP/2 stream, so that the client need not send the rest of the request. Over HTTP/1.1 the rest is read and
 * discarded.
 */
function endStream(outgoing: Outgoing): void {
  if ("stream" in outgoing) {
    outgoing.stream.close();
  }
}

/** Waits until the response is flushed or the connection is closed. */
function flushed(outgoing: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.writableFinished || outgoing.destroyed) {
      resolve();
      return;
    }
    outgoing.once("finish", resolve);
    outgoing.once("close", resolve);
  });
}

function refusal({ status }: StatusError): Promise<HttpResponse> {
  const seconds = status.details?.retryAfterSeconds;
  const more = seconds === undefined ? {} : { "retry-after": String(seconds) };
  return objectResponse(status.code ?? 500, status, plainJson, more);
}

function reset(incoming: Incoming, outgoing: Outgoing): void {
  if ("stream" in outgoing) {
    outgoing.stream.destroy(new Error("the response was cut off"));
  } else {
    breakOff(incoming.socket as Socket);
  }
}

/**
 * Breaks a connection. Node can reset plain sockets only; a TLS socket is destroyed without close_notify, which also
 * signals an abnormal end.
 */
function breakOff(socket: Socket): void {
  if ("encrypted" in socket) {
    socket.destroy();
  } else {
    socket.resetAndDestroy();
  }
}

/** Returns the caller of a connection. */
export function callerOf(
  { otherwise, options, readsCertifiedUids }: ListenerContext,
  { socket, headers, httpVersionMajor }: Incoming,
): Caller {
  const protocol = httpVersionMajor === 2 ? "HTTP/2" : "HTTP/1.1";
  const certified = certifiedUser(socket as Partial<TLSSocket>, readsCertifiedUids);
  // A faulty certificate leaves token authentication possible, but excludes anonymous access.
  if (certified === "faulty") {
    return { protocol };
  }
  const isNobody = otherwise !== undefined && isFromOtherSite(headers, options);
  return { protocol, certified, otherwise: isNobody ? undefined : otherwise };
}
