import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock, HttpRequest, HttpResponse } from "@typekube/core/internal";
import type { Caller } from "../access/authenticate.js";
import type { Handler } from "../handler.js";
import { plainJson } from "../response/response-format.js";
import { objectResponse, textResponse } from "../response/responses.js";
import { entityTooLarge, failure, type StatusError } from "../response/status-errors.js";
import { certifiedUser } from "./certified-user.js";
import { afterDeadline } from "./deadline.js";
import {
  headersOf,
  headOf,
  type Incoming,
  type Outgoing,
  readRequest,
  writeResponse,
} from "./exchange.js";
import type { ListenLimits, ListenOptions } from "./listen-options.js";
import { isFromOtherSite } from "./other-site.js";
import { staysOpen } from "./without-upgrade.js";

/** What requests of one listener come through. */
export interface ListenerContext {
  readonly clock: Clock;
  readonly handler: Handler;
  readonly limits: ListenLimits;
  /** Whether streaming lists are compressed for who asks (gate `WatchListCompression`). */
  readonly compressesStreamingLists: boolean;
  /** Whether client certificates may say the uid of their user (gate `AllowParsingUserUIDFromCertAuth`). */
  readonly readsCertifiedUids: boolean;
  /** Whether the server knows who sent a request. */
  readonly isKnown: (request: Pick<HttpRequest, "headers">, caller: Caller) => boolean;
  /** Who comes without credentials; absent: nobody may. */
  readonly otherwise: Caller["otherwise"];
  /** What the listener was opened as. */
  readonly options: Pick<ListenOptions, "allowRemote" | "host">;
  readonly watchers: { open: number };
}

/** Reads a request, has it answered and sends the answer, all within the limits of the door. */
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
      // As real servers: nothing is kept for nobody.
      await writeResponse(
        await context.handler(headOf(incoming, closed.signal), { caller }),
        incoming,
        outgoing,
      );
      await flushed(outgoing);
      endStream(outgoing);
      return;
    }
    const request = await arrived(
      context,
      readRequest(incoming, closed.signal, limits.maxBodyBytes),
    );
    if (request === "late") {
      await refuseLate(incoming, outgoing);
      return;
    }
    if ((request.body?.byteLength ?? 0) > limits.maxBodyBytes) {
      const tooLarge = await refusal(entityTooLarge(`limit is ${limits.maxBodyBytes}`));
      await writeResponse(tooLarge, incoming, outgoing);
      return;
    }
    const response = await context.handler(request, { caller });
    // Watches and what follows logs may go on for hours; whoever does not take an answer is not waited for.
    const takeBack = isWatcher
      ? () => {}
      : afterDeadline(context.clock, limits.requestTimeoutMs, () => reset(incoming, outgoing));
    try {
      await writeResponse(response, incoming, outgoing, context);
      await flushed(outgoing);
    } finally {
      takeBack();
    }
  } catch {
    // Whatever breaks an answer breaks the connection: the client must not take it for complete.
    reset(incoming, outgoing);
  } finally {
    watchers.open -= isWatcher ? 1 : 0;
  }
}

/** 429 for a watch beyond `maxWatchers`. */
export function tooManyWatches(): Promise<HttpResponse> {
  const text = "Too many requests, please try again later.";
  return refusal(failure(429, "TooManyRequests", text, { retryAfterSeconds: 1 }));
}

/** Waits for a request, as long as it may take. */
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

/** As real servers say it: a Status without its kind, as text. What is still to come of the request is not waited for. */
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

/** What is still to come of a request over HTTP/2 need not be sent; over HTTP/1.1 it must, and is forgotten. */
function endStream(outgoing: Outgoing): void {
  if ("stream" in outgoing) {
    outgoing.stream.close();
  }
}

function hasBody(incoming: Incoming): boolean {
  const { headers } = incoming;
  return "stream" in incoming
    ? !incoming.stream.endAfterHeaders
    : "content-length" in headers || "transfer-encoding" in headers;
}

/** Waits until an answer has gone out, or nobody is there any more to have it. */
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

/** Node resets plain connections only; one with TLS ends without TLS having said so, which is no end in good order either. */
function breakOff(socket: Socket): void {
  if ("encrypted" in socket) {
    socket.destroy();
  } else {
    socket.resetAndDestroy();
  }
}

/** Who is on the other end of a connection. */
export function callerOf(
  { otherwise, options, readsCertifiedUids }: ListenerContext,
  { socket, headers, httpVersionMajor }: Incoming,
): Caller {
  const protocol = httpVersionMajor === 2 ? "HTTP/2" : "HTTP/1.1";
  const certified = certifiedUser(socket as Partial<TLSSocket>, readsCertifiedUids);
  // Who shows a faulty certificate may still show a token, but nobody is taken for anonymous after a failed attempt.
  if (certified === "faulty") {
    return { protocol };
  }
  const isNobody = otherwise !== undefined && isFromOtherSite(headers, options);
  return { protocol, certified, otherwise: isNobody ? undefined : otherwise };
}
