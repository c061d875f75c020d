import type { ProxyAddress } from "./proxy-address.js";
import { loginHint, proxyError } from "./proxy-error.js";
import type { ProxyHandshake } from "./proxy-handshake.js";

/** Bytes that a proxy's response to CONNECT may have. */
const maxHeadBytes = 16 * 1024;

/**
 * Creates the handshake of HTTP CONNECT. The first request contains the proxy's user and password, as in Go.
 *
 * @param target - `host:port` to reach.
 */
export function httpConnect(proxy: ProxyAddress, target: string): ProxyHandshake {
  const { login } = proxy;
  const pair = login && Buffer.from(`${login.user.reveal()}:${login.password.reveal()}`);
  const lines = [
    `CONNECT ${target} HTTP/1.1`,
    `Host: ${target}`,
    ...(pair ? [`Proxy-Authorization: Basic ${pair.toString("base64")}`] : []),
  ];
  return {
    hello: Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    response(received) {
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) {
        if (received.byteLength > maxHeadBytes) {
          throw proxyError(proxy, `sent more than ${maxHeadBytes} bytes in response to CONNECT`);
        }
        return undefined;
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(received.toString("latin1", 0, end))?.[1];
      if (status === undefined) {
        throw proxyError(proxy, "does not speak HTTP");
      }
      if (!status.startsWith("2")) {
        const hint = status === "407" ? loginHint : undefined;
        throw proxyError(proxy, `refuses a tunnel to ${target} (HTTP ${status})`, { hint });
      }
      return { used: end + 4, isOpen: true };
    },
  };
}
