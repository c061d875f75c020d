import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { KubeError } from "@typekube/core";
import { buildConnector, Client, type Dispatcher, Pool } from "undici";
import { reveal, type Secret } from "./secret.js";
import type { Pem } from "./tls-options.js";
import { type TransportSettings, transportDefaults } from "./transport-options.js";

/** A place on a connection for one exchange. */
export interface Lease {
  readonly dispatcher: Dispatcher;
  /** Gives the place back; `broken` when the exchange did not come to its end. */
  release(broken: boolean): void;
}

/** The connections of one transport: one server, one TLS identity. */
export interface Connections {
  /** Calls share a bounded pool; each stream has a connection of its own, so that watches never starve calls. */
  lease(mode: "call" | "stream"): Lease;
  /** Breaks every connection, those being made included. */
  destroy(): Promise<void>;
}

/**
 * Opens nothing yet; connections come with the requests.
 *
 * HTTP/1.1 only: this is the place where HTTP/2 would be switched on, after ALPN and not before, since
 * undici sends one request at a time on an h2 session unless `pipelining` is raised, and has no deadline for PINGs.
 */
export function openConnections(settings: TransportSettings): Connections {
  const { origin } = settings.server;
  let leases = 0;
  const connector = trackedConnector(settings, () => leases > 0);
  const options: Client.Options = {
    allowH2: false,
    keepAliveTimeout: transportDefaults.keepAliveMs,
    keepAliveMaxTimeout: transportDefaults.keepAliveMs,
    // An exchange has its own deadlines, on the transport's clock; undici's would cut silent watches.
    headersTimeout: 0,
    bodyTimeout: 0,
    // What undici is told is the first size that is too large.
    maxHeaderSize: settings.limits.maxHeaderBytes + 1,
    connect: connector.connect,
  };
  const calls = new Pool(origin, { ...options, connections: settings.connections });
  const streams = new Set<Client>();

  const leaseStream = (): Lease => {
    // A pool would connect anew after each aborted request, a client that is destroyed does not.
    const client = new Client(origin, options);
    streams.add(client);
    const gone = () => {
      streams.delete(client);
    };
    return {
      dispatcher: client,
      release(broken) {
        // Neither rejects: what went wrong was told to the exchange.
        void (broken ? client.destroy() : client.close()).then(gone, gone);
      },
    };
  };

  return {
    lease(mode) {
      leases += 1;
      if (leases === 1) {
        connector.update();
      }
      const stream = mode === "stream" ? leaseStream() : undefined;
      return {
        dispatcher: stream?.dispatcher ?? calls,
        release(broken) {
          leases -= 1;
          stream?.release(broken);
          if (leases === 0) {
            connector.update();
          }
        },
      };
    },
    async destroy() {
      const all = [calls.destroy(), ...[...streams].map((client) => client.destroy())];
      connector.stop();
      await Promise.all(all);
    },
  };
}

/**
 * undici's connector with a hold on its attempts. By itself undici connects anew after a request was aborted, and goes
 * on with an attempt after its client was destroyed; with a server that does not answer, a finished program would live
 * on until the connect timeout. So an attempt keeps the process alive only while an exchange is under way.
 */
function trackedConnector(
  settings: TransportSettings,
  isWanted: () => boolean,
): {
  readonly connect: buildConnector.connector;
  /** Whether exchanges are under way has changed. */
  update(): void;
  /** Ends all attempts. */
  stop(): void;
} {
  const { server, tls, connectTimeoutMs } = settings;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: transportDefaults.tcpKeepAliveMs,
    ...(server.secure
      ? {
          secureContext: secureContext(settings),
          rejectUnauthorized: tls.insecureSkipVerify !== true,
          ...(tls.serverName ? { servername: tls.serverName } : {}),
        }
      : {}),
    // The type comes from node:tls and asks for more than the connector does.
  } as buildConnector.BuildOptions);
  const attempts = new Set<Socket>();
  const hold = (socket: Socket) => (isWanted() ? socket.ref() : socket.unref());
  return {
    connect(options, callback) {
      // It returns the socket; the type does not say so.
      const socket = connect(options, (...result) => {
        attempts.delete(socket);
        // From here on undici decides, and takes for granted that it is held.
        socket.ref();
        callback(...result);
      }) as unknown as Socket;
      attempts.add(socket);
      hold(socket);
    },
    update() {
      for (const socket of attempts) {
        hold(socket);
      }
    },
    stop() {
      for (const socket of attempts) {
        socket.destroy(new KubeError("Closed", "the transport is closed"));
      }
    },
  };
}

/** Made once: parsing the certificates again for each connection would be a good part of its cost. */
function secureContext({ tls }: TransportSettings): SecureContext {
  try {
    if (tls.ca) {
      // A context takes any text for a CA and then trusts nobody.
      new X509Certificate(pem(tls.ca));
    }
    return createSecureContext({
      minVersion: "TLSv1.2",
      ...(tls.ca ? { ca: pem(tls.ca) } : {}),
      ...(tls.cert ? { cert: pem(tls.cert) } : {}),
      ...(tls.key ? { key: pem(tls.key) } : {}),
    });
  } catch (error) {
    // OpenSSL's text names the kind of fault and never the material.
    throw new KubeError("Config", "the CA, the client certificate or its key cannot be used", {
      cause: error,
      hint: "they must be PEM, and the key must belong to the certificate",
    });
  }
}

function pem(text: Pem | Secret): string | Buffer {
  return text instanceof Uint8Array ? Buffer.from(text) : reveal(text);
}
