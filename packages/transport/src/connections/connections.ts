import { monotonicNow } from "@typekube/core/internal";
import type { Lease, WholeRequest, WireDispatcher, WireRequest } from "../exchange/wire.js";
import { http2Pool } from "../http2/http2-pool.js";
import type { TransportSettings } from "../options/transport-settings.js";
import { dialer as makeDialer } from "../sockets/dialer.js";
import { socketMaker } from "../sockets/socket-maker.js";
import type { TlsContexts } from "../tls/secure-context.js";
import { upgradeDispatcher } from "../upgrade/upgrade-dispatcher.js";
import { type Http1Stream, http1Connections } from "./http1-connections.js";

/** Use of a place on a connection. `urgent` calls have connections of their own, so that other calls never delay them. */
export type ConnectionUse = "call" | "stream" | "upgrade" | "urgent";

/** The connections to one server over one route, direct or through a proxy, with one TLS identity. */
export interface Connections {
  /**
   * Leases a place for one exchange. Calls share a bounded pool; streams, upgrades and urgent calls use other connections,
   * so that watches never starve calls, nor calls an urgent one.
   */
  lease(use: ConnectionUse): Lease;
  /** Breaks every connection, including those being established. */
  destroy(): Promise<void>;
}

/** Milliseconds until HTTP/2 is offered again to a server that chose HTTP/1.1: it may have been replaced. */
const retryMs = 10 * 60_000;

/** Sends calls over sessions of HTTP/2, or else over connections of HTTP/1.1. */
interface CallPool extends WireDispatcher {
  destroy(): void;
}

/** Returns `true` for a request that HTTP/2 can send; a body that comes in chunks needs HTTP/1.1. */
function hasWholeBody(request: WireRequest): request is WholeRequest {
  return request.body === null || request.body instanceof Uint8Array;
}

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
  const callsOf = (maxSessions: number, connections: () => WireDispatcher): CallPool => {
    const pool = server.secure && http2 === true ? poolOf(maxSessions) : undefined;
    return {
      dispatch(request, handler) {
        const fallBack = () => void connections().dispatch(request, handler);
        if (pool && mayRequest() && hasWholeBody(request)) {
          pool.send({ request, handler, refusals: 0, fallBack });
        } else {
          fallBack();
        }
      },
      destroy: () => pool?.destroy(),
    };
  };
  const http2Streams =
    server.secure && http2 !== false ? poolOf(Number.POSITIVE_INFINITY) : undefined;
  const mayRequest = (): boolean => monotonicNow(clock) >= retryAt;

  const calls = callsOf(settings.connections, () => http1.calls);
  const callLease: Lease = {
    dispatcher: http2 === true ? calls : http1.calls,
    release: () => dialer.leave(),
  };
  let urgent: CallPool | undefined;
  const urgentLease = (): Lease => {
    urgent ??= callsOf(1, http1.urgentCalls);
    return { dispatcher: urgent, release: callLease.release };
  };

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
          if (http2Streams && mayRequest() && hasWholeBody(request)) {
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

  const leaseUpgrade = (): Lease => {
    const { maxHeaderBytes } = settings.limits;
    const host = new URL(server.origin).host;
    const dispatcher = upgradeDispatcher({ dialer, host, maxHeaderBytes });
    return {
      dispatcher,
      release(broken) {
        dialer.leave();
        if (broken) {
          dispatcher.close();
        }
      },
    };
  };
  const leases: Readonly<Record<ConnectionUse, () => Lease>> = {
    call: () => callLease,
    stream: leaseStream,
    upgrade: leaseUpgrade,
    urgent: urgentLease,
  };

  return {
    lease(use) {
      dialer.enter();
      return leases[use]();
    },
    async destroy() {
      dialer.stop();
      calls.destroy();
      urgent?.destroy();
      http2Streams?.destroy();
      await http1.destroy();
    },
  };
}
