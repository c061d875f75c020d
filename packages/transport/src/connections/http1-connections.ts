import type { Socket } from "node:net";
import { Client, Pool } from "undici/index.js";
import type { WireDispatcher } from "../exchange/wire.js";
import { transportDefaults } from "../options/transport-options.js";
import type { TransportSettings } from "../options/transport-settings.js";
import type { Dialer } from "../sockets/dialer.js";
import type { Connected } from "../sockets/socket-maker.js";

/** HTTP/1.1 connections, each with one exchange at a time. */
export interface Http1Connections {
  /** Bounded pool for calls. */
  readonly calls: WireDispatcher;
  /** Returns a small pool apart from {@link calls}, created on first use. */
  urgentCalls(): WireDispatcher;
  /** Opens a connection for one stream. */
  openStream(): Http1Stream;
  /** Takes over a connected socket: the next connection that is needed uses it. */
  adopt(socket: Socket): void;
  destroy(): Promise<void>;
}

/** The connection of a single stream. */
export interface Http1Stream extends WireDispatcher {
  /** Closes the connection; `broken` when the exchange was not completed. */
  close(broken: boolean): void;
}

/**
 * Milliseconds that an adopted socket waits to be used. Usually a request needs it at once, but that request may have
 * been aborted, or have used a connection that became free.
 */
const spareMs = 1_000;

/** Connections for urgent calls, of which there are few: leases that are renewed. */
const urgentConnections = 2;

/** Creates the connections. None is opened before a request needs it. */
export function http1Connections(settings: TransportSettings, dialer: Dialer): Http1Connections {
  const { clock, server } = settings;
  const { origin } = server;
  /** Adopted sockets, each with a function that cancels its timeout. */
  const spares = new Map<Socket, () => void>();
  const connect = (_options: unknown, connected: Connected): void => {
    for (const [spare, cancelEnd] of spares) {
      spares.delete(spare);
      cancelEnd();
      if (!spare.destroyed && !spare.readableEnded) {
        const socket = spare.ref();
        // undici expects the callback to run later.
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
    // Exchanges have their own deadlines on the transport's clock; undici's would cut silent watches.
    headersTimeout: 0,
    bodyTimeout: 0,
    // undici's limit is the first size that is too large.
    maxHeaderSize: settings.limits.maxHeaderBytes + 1,
    connect,
  } as Client.Options;
  const calls = new Pool(origin, { ...options, connections: settings.connections });
  const streams = new Set<Client>();
  let urgent: Pool | undefined;
  return {
    calls,
    urgentCalls() {
      urgent ??= new Pool(origin, { ...options, connections: urgentConnections });
      return urgent;
    },
    openStream() {
      // A pool would reconnect after each aborted request; a destroyed client does not.
      const client = new Client(origin, options);
      streams.add(client);
      const gone = () => {
        streams.delete(client);
      };
      return {
        dispatch: (request, handler) => client.dispatch(request as never, handler),
        close(broken) {
          // Neither promise rejects: the exchange has received the error.
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
      await Promise.all([
        calls.destroy(),
        urgent?.destroy(),
        ...[...streams].map((client) => client.destroy()),
      ]);
    },
  };
}
