import { isIP, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate, type SecureContext } from "node:tls";
import { KubeError } from "@typekube/core";
import { buildConnector } from "undici/index.js";
import { startDeadline } from "./deadline.js";
import type { ProxyAddress } from "./proxy-address.js";
import { openTunnel } from "./proxy-tunnel.js";
import type { TlsContexts } from "./secure-context.js";
import { type TransportSettings, transportDefaults } from "./transport-options.js";

/** What a client says in TLS that it can speak: HTTP/1.1 alone, or HTTP/2 too. */
export type Offer = "http/1.1" | "http/2 too";

/** Called once: with an error, or with a socket on which the server waits for a request. */
export type Connected = (
  ...result: [error: Error, socket: null] | [error: null, socket: Socket]
) => void;

/**
 * Begins to connect to the server of the transport. The socket that comes back at once is for ending and holding the attempt;
 * the one to use is what `connected` is given.
 */
export type MakeSocket = (offer: Offer, connected: Connected) => Socket;

/** How sockets to the server come about: straight, or through a tunnel of the proxy, also to an `http://` server. */
export function socketMaker(settings: TransportSettings, contexts: TlsContexts): MakeSocket {
  const connector = connectors(settings, contexts.server);
  return settings.proxy
    ? throughProxy(settings, settings.proxy, contexts.proxy, connector)
    : (offer, connected) => connector(offer, undefined, connected);
}

/** Connects, or speaks TLS over a tunnel that stands. */
type Connector = (offer: Offer, tunnel: Socket | undefined, connected: Connected) => Socket;

function connectors(settings: TransportSettings, context: SecureContext | undefined): Connector {
  const { server, tls, connectTimeoutMs } = settings;
  const { hostname: shown, port, protocol } = new URL(server.origin);
  const hostname = shown.replace(/^\[|\]$/g, "");
  // Go's servers refuse a name with the dot of a full one, and nobody may send an address for a name (RFC 6066): certificates
  // are for either.
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
    // The type comes from node:tls and asks for more than the connector does.
  } as buildConnector.BuildOptions;
  // One each: what a server agreed to speak may be part of a TLS session that is resumed.
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
    // It returns the socket, and a callback's error and socket come as it says; the types say otherwise.
    return byOffer[offer](
      { ...target, ...(tunnel ? { httpSocket: tunnel } : {}) },
      ending as buildConnector.Callback,
    ) as unknown as Socket;
  };
}

/** Node tells of TLS that breaks after its handshake and leaves the socket open: whoever waits for its end would wait for ever. */
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
    const end = () =>
      socket.destroy(
        new KubeError(
          "ConnectionTimeout",
          `no tunnel through the proxy ${proxy.shown} within ${connectTimeoutMs} ms`,
        ),
      );
    // The dialer knows whether somebody still waits for the attempt, and holds the process by its socket.
    const cancelTimeout = startDeadline(clock, connectTimeoutMs, end, true);
    return socket;
  };
}
