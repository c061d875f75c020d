import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { KubeError } from "@typekube/core";
import { httpConnect } from "./http-connect.js";
import type { ProxyAddress } from "./proxy-address.js";
import { proxyError } from "./proxy-error.js";
import { socks5 } from "./socks5.js";

/**
 * Opens a tunnel through a proxy. The socket is returned at once, but must not be used before `done` is called;
 * destroying it ends the attempt.
 *
 * @param target - `host:port` to reach.
 * @param context - TLS context that verifies the proxy; for a proxy that speaks TLS.
 * @param done - called once, with an error or with `undefined`.
 */
export function openTunnel(
  proxy: ProxyAddress,
  target: string,
  context: SecureContext | undefined,
  done: (error: Error | undefined) => void,
): Socket {
  const { kind, hostname: host, port } = proxy;
  const handshake = kind === "socks5" ? socks5(proxy, target) : httpConnect(proxy, target);
  const socket =
    kind === "https"
      ? connectTls({
          host,
          port,
          ...(context ? { secureContext: context } : {}),
          ...(isIP(host) ? {} : { servername: host }),
        })
      : connectTcp({ host, port });
  socket.setNoDelay(true);
  let received = Buffer.alloc(0);

  const end = (error: Error | undefined): void => {
    socket.off("readable", onReadable).off("error", onError).off("close", onClose);
    if (error) {
      socket.on("error", () => {}).destroy();
    }
    done(error);
  };
  const onError = (error: NodeJS.ErrnoException): void =>
    // A KubeError is the reason why we ended the attempt: closed, or timed out.
    end(
      error instanceof KubeError
        ? error
        : proxyError(proxy, `cannot be reached (${error.code ?? error.message})`, { cause: error }),
    );
  const onClose = (): void => end(proxyError(proxy, "closed the connection before it responded"));
  const onReadable = (): void => {
    try {
      for (let chunk = read(socket); chunk; chunk = read(socket)) {
        received = Buffer.concat([received, chunk]);
        for (let step = handshake.response(received); step; step = handshake.response(received)) {
          received = received.subarray(step.used);
          if (step.isOpen) {
            // Servers wait for a request, over TLS as well: more bytes are a page, or the response to another request.
            const isMore = received.byteLength > 0;
            end(isMore ? proxyError(proxy, "sent unexpected bytes after its response") : undefined);
            return;
          }
          if (step.say) {
            socket.write(step.say);
          }
        }
      }
    } catch (error) {
      end(KubeError.from(error, "NetworkError"));
    }
  };
  socket.on("error", onError).on("close", onClose).on("readable", onReadable);
  socket.once(kind === "https" ? "secureConnect" : "connect", () => {
    socket.write(handshake.hello);
  });
  return socket;
}

function read(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}
