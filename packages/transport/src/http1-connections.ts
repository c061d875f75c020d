import type { Socket } from "node:net";
import { Client, Pool } from "undici/index.js";
import type { Dialer } from "./dialer.js";
import type { Connected } from "./socket-maker.js";
import { type TransportSettings, transportDefaults } from "./transport-options.js";
import type { WireDispatcher } from "./wire.js";

/** Connections that speak HTTP/1.1, one exchange at a time each. */
export interface Http1Connections {
  /** A bounded pool. */
  readonly calls: WireDispatcher;
  /** A connection for one stream. */
  openStream(): Http1Stream;
  /** A socket that stands already: the next connection that is needed is made on it. */
  adopt(socket: Socket): void;
  destroy(): Promise<void>;
}

/** A connection of a stream's own. */
export interface Http1Stream extends WireDispatcher {
  /** `broken` when the exchange did not come to its end. */
  close(broken: boolean): void;
}

/**
 * Milliseconds that a socket waits for who needs it. As a rule somebody does at once; but a request may have been given up
 * meanwhile, or gone over a connection that became free.
 */
const spareMs = 1_000;

/** Opens nothing yet; connections come with the requests. */
export function http1Connections(settings: TransportSettings, dialer: Dialer): Http1Connections {
  const { clock, server } = settings;
  const { origin } = server;
  /** Each with what cancels its end. */
  const spares = new Map<Socket, () => void>();
  const connect = (_options: unknown, connected: Connected): void => {
    for (const [spare, cancelEnd] of spares) {
      spares.delete(spare);
      cancelEnd();
      if (!spare.destroyed && !spare.readableEnded) {
        const socket = spare.ref();
        // undici counts on an answer that comes later.
        queueMicrotask(() => connected(null, socket));
        return;
      }
    }
    dialer.dial("http/1.1", connected);
  };
  const options = {
    allowH2: false,
    keepAliveTimeout: transportDefaults.keepAliveMs,
    keepAliveMaxTimeout: transportDefaults.keepAliveMs,
    // An exchange has its own deadlines, on the transport's clock; undici's would cut silent watches.
    headersTimeout: 0,
    bodyTimeout: 0,
    // What undici is told is the first size that is too large.
    maxHeaderSize: settings.limits.maxHeaderBytes + 1,
    connect,
  } as Client.Options;
  const calls = new Pool(origin, { ...options, connections: settings.connections });
  const streams = new Set<Client>();
  return {
    calls,
    openStream() {
      // A pool would connect anew after each aborted request, a client that is destroyed does not.
      const client = new Client(origin, options);
      streams.add(client);
      const gone = () => {
        streams.delete(client);
      };
      return {
        dispatch: (request, handler) => client.dispatch(request as never, handler),
        close(broken) {
          // Neither rejects: what went wrong was told to the exchange.
          void (broken ? client.destroy() : client.close()).then(gone, gone);
        },
      };
    },
    adopt(socket) {
      const end = () => {
        spares.delete(socket);
        socket.destroy();
      };
      spares.set(socket.unref(), clock.schedule(spareMs, end, true));
    },
    async destroy() {
      for (const [spare, cancelEnd] of spares) {
        cancelEnd();
        spare.destroy();
      }
      await Promise.all([calls.destroy(), ...[...streams].map((client) => client.destroy())]);
    },
  };
}
