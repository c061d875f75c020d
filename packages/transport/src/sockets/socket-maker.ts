import { isIP, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate, type SecureContext } from "node:tls";
import { KubeError } from "@typekube/core";
import { buildConnector } from "undici/index.js";
import { startDeadline } from "../deadlines/deadline.js";
import { transportDefaults } from "../options/transport-options.js";
import type { TransportSettings } from "../options/transport-settings.js";
import type { ProxyAddress } from "../proxy/proxy-address.js";
import { openTunnel } from "../proxy/proxy-tunnel.js";
import type { TlsContexts } from "../tls/secure-context.js";

/** Protocols that a client offers in TLS: HTTP/1.1 alone, or HTTP/2 too. */
export type Offer = "http/1.1" | "http/2 too";

/** Called once: with an error, or with a socket that is ready for requests. */
export type Connected = (
  ...result: [error: Error, socket: null] | [error: null, socket: Socket]
) => void;

/**
 * Starts connecting to the transport's server. The socket returned at once serves to end the attempt and to keep the
 * process alive; requests use the socket passed to `connected`.
 */
export type MakeSocket = (offer: Offer, connected: Connected) => Socket;

/**
 * Creates the function that opens sockets to the server: directly, or through a proxy tunnel, also for an `http://`
 * server.
 */
export function socketMaker(settings: TransportSettings, contexts: TlsContexts): MakeSocket {
  const connector = connectors(settings, contexts.server);
  return settings.proxy
    ? throughProxy(settings, settings.proxy, contexts.proxy, connector)
    : (offer, connected) => connector(offer, undefined, connected);
}

/** Connects directly, or speaks TLS over an open tunnel. */
type Connector = (offer: Offer, tunnel: Socket | undefined, connected: Connected) => Socket;

function connectors(settings: TransportSettings, context: SecureContext | undefined): Connector {
  const { server, tls, connectTimeoutMs } = settings;
  const { hostname: shown, port, protocol } = new URL(server.origin);
  const hostname = shown.replace(/^\[|\]$/g, "");
  // Go's servers reject a name with a trailing dot, and an address must not be sent as a name (RFC 6066); certificates
  // may be for either.
  const name = (tls.serverName || hostname).replace(/\.$/, "");
  const options = {
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: transportDefaults.tcpKeepAliveMs,
    ...(server.secure
      ? {
          secureContext: context,
          rejectUnauthorized: tls.insecureSkipVerify !== true,
          checkServerIdentity: (_host: string, certificate: PeerCertificate) =>
            checkServerIdentity(name, certificate),
        }
      : {}),
    // The type comes from node:tls and requires more than the connector does.
  } as buildConnector.BuildOptions;
  // One connector per offer: the negotiated protocol may be part of a TLS session that is resumed.
  const byOffer = {
    "http/1.1": buildConnector(options),
    "http/2 too": buildConnector({ ...options, allowH2: true }),
  };
  const target = { hostname, host: isIP(name) ? "" : name, protocol, port };
  return (offer, tunnel, connected) => {
    const ending: Connected = (...result) => {
      endWithError(result[1]);
      connected(...result);
    };
    // The connector returns the socket and calls back with either an error or a socket; its types differ.
    return byOffer[offer](
      { ...target, ...(tunnel ? { httpSocket: tunnel } : {}) },
      ending as buildConnector.Callback,
    ) as unknown as Socket;
  };
}

/**
 * Destroys a socket on its first error. Node reports TLS that breaks after the handshake but leaves the socket open, so
 * that code waiting for its end would wait indefinitely.
 */
function endWithError(socket: Socket | null): void {
  socket?.once("error", () => socket.destroy());
}

function throughProxy(
  { server, clock, connectTimeoutMs }: TransportSettings,
  proxy: ProxyAddress,
  context: SecureContext | undefined,
  connector: Connector,
): MakeSocket {
  return (offer, connected) => {
    const socket = openTunnel(proxy, server.host, context, (error) => {
      if (error) {
        cancelTimeout();
        connected(error, null);
      } else if (server.secure) {
        connector(offer, socket, (...result) => {
          cancelTimeout();
          connected(...result);
        });
      } else {
        cancelTimeout();
        endWithError(socket);
        connected(null, socket);
      }
    });
    socket.setKeepAlive(true, transportDefaults.tcpKeepAliveMs);
    const end = () =>
      socket.destroy(
        new KubeError(
          "ConnectionTimeout",
          `no tunnel through the proxy ${proxy.shown} within ${connectTimeoutMs} ms`,
        ),
      );
    // In the background: the dialer knows whether an exchange waits for the attempt, and keeps the process alive by its
    // socket.
    const cancelTimeout = startDeadline(clock, connectTimeoutMs, end, true);
    return socket;
  };
}
