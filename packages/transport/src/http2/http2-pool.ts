import type { Socket } from "node:net";
import type { TransportSettings } from "../options/transport-settings.js";
import type { Dialer } from "../sockets/dialer.js";
import type { Http2Request } from "./http2-exchange.js";
import { Http2Session, maxStreams } from "./http2-session.js";

/** Number of times that a request is sent again after a server returned it unprocessed. */
const maxRefusals = 3;

/** A request that uses HTTP/2 if the server supports it. */
export interface PooledRequest extends Http2Request {
  /** Sends the request over HTTP/1.1 instead. */
  fallBack(): void;
}

/** HTTP/2 sessions shared by calls, or by streams. */
export interface Http2Pool {
  send(request: PooledRequest): void;
  destroy(): void;
}

/** Options of {@link http2Pool}. */
export interface Http2PoolOptions {
  readonly settings: TransportSettings;
  readonly dialer: Dialer;
  /** Maximum number of sessions that accept requests; further requests wait. */
  readonly maxSessions: number;
  /**
   * Called when the server chose HTTP/1.1; with the connected socket, unless the server only rejected a request on a
   * session.
   */
  onHttp1(socket: Socket | undefined): void;
}

/**
 * Creates a pool without opening a session. A request uses a session with room; when all are full, one more session is
 * opened.
 */
export function http2Pool({ settings, dialer, maxSessions, onHttp1 }: Http2PoolOptions): Http2Pool {
  const all = new Set<Http2Session>();
  const open = new Set<Http2Session>();
  const waiting: PooledRequest[] = [];
  /**
   * Streams on a new session until the server announces its limit: the limit announced last, so that requests are not
   * refused on each session.
   */
  let expected = maxStreams;
  let isFlushing = false;
  let isDialling = false;
  let isDestroyed = false;

  const sessionWithRoom = (): Http2Session | undefined => {
    for (const session of open) {
      if (session.hasRoom) {
        return session;
      }
    }
    return undefined;
  };
  const flush = (): void => {
    if (isFlushing) {
      // An aborted request frees its place at once; the loop below, which is running, notices it. This avoids recursion
      // however many there are.
      return;
    }
    isFlushing = true;
    try {
      let session = sessionWithRoom();
      while (session && waiting.length > 0) {
        session.send(waiting.shift() as PooledRequest);
        session = sessionWithRoom();
      }
    } finally {
      isFlushing = false;
    }
    if (waiting.length > 0) {
      grow();
    }
  };
  const grow = (): void => {
    if (isDialling || isDestroyed || open.size >= maxSessions) {
      return;
    }
    isDialling = true;
    dialer.dial("http/2 too", (error, socket) => {
      isDialling = false;
      if (error) {
        fail(error);
      } else if (isDestroyed) {
        socket.destroy();
      } else if ((socket as { alpnProtocol?: unknown }).alpnProtocol === "h2") {
        add(socket);
      } else {
        onHttp1(socket);
        for (const request of waiting.splice(0)) {
          request.fallBack();
        }
      }
    });
  };
  const add = (socket: Socket): void => {
    const session: Http2Session = new Http2Session(socket, settings, expected, {
      onRoom: flush,
      onAllowed(streams) {
        expected = Math.max(1, streams);
      },
      onRefused(request) {
        request.refusals += 1;
        if (request.refusals > maxRefusals || isDestroyed) {
          return false;
        }
        waiting.push(request as PooledRequest);
        // Deferred: the session that refused is still handling the refusal.
        setImmediate(flush);
        return true;
      },
      onHttp1Required(request) {
        onHttp1(undefined);
        (request as PooledRequest).fallBack();
      },
      onRetired() {
        open.delete(session);
        flush();
      },
      onGone() {
        all.delete(session);
      },
    });
    all.add(session);
    open.add(session);
    flush();
  };
  const fail = (error: Error): void => {
    for (const { handler } of waiting.splice(0)) {
      handler.onResponseError({ abort() {}, pause() {}, resume() {} }, error);
    }
  };

  return {
    send(request) {
      const session = waiting.length === 0 ? sessionWithRoom() : undefined;
      if (session) {
        session.send(request);
      } else {
        waiting.push(request);
        grow();
      }
    },
    destroy() {
      isDestroyed = true;
      for (const session of all) {
        session.destroy();
      }
    },
  };
}
