import { isIP } from "node:net";
import { connect } from "node:tls";
import { KubeError } from "@typekube/core";

/** Milliseconds for a handshake with ourselves. */
const handshakeTimeoutMs = 5_000;

/** Handshake to confirm. */
export interface HandshakeTarget {
  readonly host: string;
  readonly port: number;
  /** Certificates to trust, as PEM. */
  readonly ca: string;
  /** Name that API servers expect in the certificate. */
  readonly name: string;
}

/**
 * Resolves when a TLS handshake with a server succeeds as an API server would make it.
 *
 * @throws {KubeError} `Tls` with the reason.
 */
export function confirmHandshake({ host, port, ca, name }: HandshakeTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ca,
      // An address is checked as the host; only names are sent.
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: ["h2", "http/1.1"],
    });
    const fail = (cause: Error) => {
      socket.destroy();
      reject(
        new KubeError("Tls", `the webhook server does not complete a handshake: ${cause.message}`, {
          cause,
        }),
      );
    };
    socket.setTimeout(handshakeTimeoutMs, () => fail(new Error("no response in 5 s")));
    socket.once("error", fail);
    socket.once("secureConnect", () => {
      socket.end();
      resolve();
    });
  });
}
