import { monotonicNow } from "@typekube/core/internal";
import type { Lease, WireDispatcher } from "../exchange/wire.js";
import { http2Pool } from "../http2/http2-pool.js";
import type { TransportSettings } from "../options/transport-settings.js";
import { dialer as makeDialer } from "../sockets/dialer.js";
import { socketMaker } from "../sockets/socket-maker.js";
import type { TlsContexts } from "../tls/secure-context.js";
import { type Http1Stream, http1Connections } from "./http1-connections.js";

/** The connections to one server over one route, direct or through a proxy, with one TLS identity. */
export interface Connections {
  /**
   * Leases a place for one exchange. Calls share a bounded pool; streams use other connections, so that watches never
   * starve calls.
   */
  lease(mode: "call" | "stream"): Lease;
  /** Breaks every connection, including those being established. */
  destroy(): Promise<void>;
}

/** Milliseconds until HTTP/2 is offered again to a server that chose HTTP/1.1: it may have been replaced. */
const retryMs = 10 * 60_000;

/** Creates the connections of a transport. None is opened before a request needs it. */
export function openConnections(settings: TransportSettings, contexts: TlsContexts): Connections {
  const { server, http2, clock } = settings;
  const dialer = makeDialer(socketMaker(settings, contexts));
  const http1 = http1Connections(settings, dialer);
  let retryAt = Number.NEGATIVE_INFINITY;
  const poolOf = (maxSessions: number) =>
    http2Pool({
      settings,
      dialer,
      maxSessions,
      onHttp1(socket) {
        retryAt = monotonicNow(clock) + retryMs;
        if (socket) {
          http1.adopt(socket);
        }
      },
    });
  const http2Calls = server.secure && http2 === true ? poolOf(settings.connections) : undefined;
  const http2Streams =
    server.secure && http2 !== false ? poolOf(Number.POSITIVE_INFINITY) : undefined;
  const mayRequest = (): boolean => monotonicNow(clock) >= retryAt;

  const calls: WireDispatcher = http2Calls
    ? {
        dispatch(request, handler) {
          const fallBack = () => void http1.calls.dispatch(request, handler);
          if (mayRequest()) {
            http2Calls.send({ request, handler, refusals: 0, fallBack });
          } else {
            fallBack();
          }
        },
      }
    : http1.calls;
  const callLease: Lease = { dispatcher: calls, release: () => dialer.leave() };

  const leaseStream = (): Lease => {
    let stream: Http1Stream | undefined;
    let isReleased = false;
    return {
      dispatcher: {
        dispatch(request, handler) {
          const fallBack = () => {
            if (!isReleased) {
              stream = http1.openStream();
              stream.dispatch(request, handler);
            }
          };
          if (http2Streams && mayRequest()) {
            http2Streams.send({ request, handler, refusals: 0, fallBack });
          } else {
            fallBack();
          }
        },
      },
      release(broken) {
        isReleased = true;
        dialer.leave();
        stream?.close(broken);
      },
    };
  };

  return {
    lease(mode) {
      dialer.enter();
      return mode === "stream" ? leaseStream() : callLease;
    },
    async destroy() {
      dialer.stop();
      http2Calls?.destroy();
      http2Streams?.destroy();
      await http1.destroy();
    },
  };
}
