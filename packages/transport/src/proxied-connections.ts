import type { Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { KubeError } from "@typekube/core";
import { buildConnector, Client, Pool } from "undici";
import type { Connections } from "./connections.js";
import type { ProxyAddress } from "./proxy-address.js";
import { openTunnel } from "./proxy-tunnel.js";
import { reveal, type Secret } from "./secret.js";
import type { Pem } from "./tls-options.js";
import { type TransportSettings, transportDefaults } from "./transport-options.js";

/**
 * Connections to one server through a proxy, over a tunnel each, also to an `http://` server. Pools and streams are those of
 * direct connections.
 *
 * @throws {KubeError} `Config` when the TLS material cannot be used.
 */
export function openProxiedConnections(
  settings: TransportSettings,
  proxy: ProxyAddress,
): Connections {
  const { origin } = settings.server;
  const attempts = new Set<Socket>();
  const streams = new Set<Client>();
  let leases = 0;
  const hold = (socket: Socket) => (leases > 0 ? socket.ref() : socket.unref());
  const options: Client.Options = {
    allowH2: false,
    keepAliveTimeout: transportDefaults.keepAliveMs,
    keepAliveMaxTimeout: transportDefaults.keepAliveMs,
    // As for direct connections: an exchange has deadlines of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: settings.limits.maxHeaderBytes + 1,
    connect: tunnelConnector(settings, proxy, attempts, hold),
  };
  const calls = new Pool(origin, { ...options, connections: settings.connections });

  const count = (change: 1 | -1): void => {
    leases += change;
    for (const socket of attempts) {
      hold(socket);
    }
  };
  return {
    lease(mode) {
      count(1);
      const stream = mode === "stream" ? new Client(origin, options) : undefined;
      if (stream) {
        streams.add(stream);
      }
      return {
        dispatcher: stream ?? calls,
        release(broken) {
          count(-1);
          if (stream) {
            const gone = () => {
              streams.delete(stream);
            };
            void (broken ? stream.destroy() : stream.close()).then(gone, gone);
          }
        },
      };
    },
    async destroy() {
      const all = [calls.destroy(), ...[...streams].map((client) => client.destroy())];
      for (const socket of attempts) {
        socket.destroy(new KubeError("Closed", "the transport is closed"));
      }
      await Promise.all(all);
    },
  };
}

function tunnelConnector(
  settings: TransportSettings,
  proxy: ProxyAddress,
  attempts: Set<Socket>,
  hold: (socket: Socket) => void,
): buildConnector.connector {
  const { server, tls, clock, connectTimeoutMs } = settings;
  const secure = server.secure
    ? buildConnector({
        timeout: connectTimeoutMs,
        secureContext: secureContext(settings),
        rejectUnauthorized: tls.insecureSkipVerify !== true,
        ...(tls.serverName ? { servername: tls.serverName } : {}),
        // The type asks for a port, which the socket of the tunnel makes needless.
      } as buildConnector.BuildOptions)
    : undefined;
  return (options, callback) => {
    const over = (): void => {
      cancelTimeout();
      attempts.delete(socket);
      // From here on undici decides, and takes for granted that it is held.
      socket.ref();
    };
    const socket = openTunnel(proxy, server.host, (error) => {
      if (error || !secure) {
        over();
        callback(...((error ? [error, null] : [null, socket]) as [null, Socket]));
        return;
      }
      secure({ ...options, httpSocket: socket }, (...result) => {
        over();
        callback(...result);
      });
    });
    const cancelTimeout = clock.schedule(connectTimeoutMs, () =>
      socket.destroy(
        new KubeError(
          "ConnectionTimeout",
          `no tunnel through the proxy ${proxy.shown} came about in ${connectTimeoutMs} ms`,
        ),
      ),
    );
    attempts.add(socket);
    hold(socket);
  };
}

function secureContext({ tls }: TransportSettings) {
  try {
    return createSecureContext({
      minVersion: "TLSv1.2",
      ...(tls.ca ? { ca: pem(tls.ca) } : {}),
      ...(tls.cert ? { cert: pem(tls.cert) } : {}),
      ...(tls.key ? { key: pem(tls.key) } : {}),
    });
  } catch (cause) {
    throw new KubeError("Config", "the CA, the client certificate or its key cannot be used", {
      cause,
      hint: "they must be PEM, and the key must belong to the certificate",
    });
  }
}

function pem(text: Pem | Secret): string | Buffer {
  return text instanceof Uint8Array ? Buffer.from(text) : reveal(text);
}
