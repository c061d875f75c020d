import { isIP } from "node:net";
import type { ProxyAddress } from "./proxy-address.js";
import { loginHint, proxyError } from "./proxy-error.js";
import type { ProxyHandshake } from "./proxy-handshake.js";

const version = 5;
const methods = { none: 0, password: 2 } as const;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Error replies of a SOCKS 5 proxy (RFC 1928, section 6). */
const refusals: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "not allowed by its rules",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
};

/**
 * Creates the handshake of SOCKS 5 (RFC 1928), with user and password (RFC 1929) if the URL has them. Host names are
 * sent unresolved.
 *
 * @param target - `host:port` to reach.
 */
export function socks5(proxy: ProxyAddress, target: string): ProxyHandshake {
  const { login } = proxy;
  let state: "login" | "method" | "request" = "method";
  const request = connectRequest(target);
  return {
    hello: Uint8Array.from(
      login ? [version, 2, methods.none, methods.password] : [version, 1, methods.none],
    ),
    response(received) {
      const [first, second, , type] = received;
      if (first === undefined || second === undefined) {
        return undefined;
      }
      if (first !== (state === "login" ? 1 : version)) {
        throw proxyError(proxy, "does not speak SOCKS 5");
      }
      switch (state) {
        case "method":
          if (second === methods.none) {
            state = "request";
            return { used: 2, say: request };
          }
          if (second !== methods.password || !login) {
            throw proxyError(proxy, "requires another authentication method", { hint: loginHint });
          }
          state = "login";
          return { used: 2, say: loginRequest(login.user.reveal(), login.password.reveal()) };
        case "login":
          if (second !== 0) {
            throw proxyError(proxy, "rejected the credentials", { hint: loginHint });
          }
          state = "request";
          return { used: 2, say: request };
        case "request": {
          if (second !== 0) {
            const why = refusals[second] ?? `reply ${second}`;
            throw proxyError(proxy, `refuses a tunnel to ${target} (${why})`);
          }
          const used = replyLength(type, received[4]);
          return used === undefined || received.byteLength < used
            ? undefined
            : { used, isOpen: true };
        }
        default:
          return state satisfies never;
      }
    },
  };
}

function loginRequest(user: string, password: string): Uint8Array {
  // The length takes one byte, so no proxy can have longer credentials.
  const [name, secret] = [user, password].map((text) => Buffer.from(text).subarray(0, 255));
  return Buffer.concat([
    Uint8Array.of(1, name?.byteLength ?? 0),
    name ?? new Uint8Array(),
    Uint8Array.of(secret?.byteLength ?? 0),
    secret ?? new Uint8Array(),
  ]);
}

function connectRequest(target: string): Uint8Array {
  const { hostname, port } = splitTarget(target);
  return Buffer.concat([
    Uint8Array.of(version, 1, 0),
    addressOf(hostname),
    Uint8Array.of(port >> 8, port & 255),
  ]);
}

function splitTarget(target: string): { readonly hostname: string; readonly port: number } {
  const colon = target.lastIndexOf(":");
  return {
    hostname: target.slice(0, colon).replace(/^\[|\]$/g, ""),
    port: Number(target.slice(colon + 1)),
  };
}

function addressOf(hostname: string): Uint8Array {
  switch (isIP(hostname)) {
    case 4:
      return Uint8Array.of(addressTypes.ipv4, ...hostname.split(".").map(Number));
    case 6:
      return Uint8Array.of(addressTypes.ipv6, ...bytesOfIpv6(hostname));
    default: {
      const name = Buffer.from(hostname);
      return Uint8Array.of(addressTypes.name, name.byteLength, ...name);
    }
  }
}

/** Parses an IPv6 address as URLs write it: hexadecimal groups, at most one `::`. */
function bytesOfIpv6(address: string): number[] {
  const [head = [], tail] = address
    .split("::")
    .map((side) => side.split(":").filter((group) => group !== ""));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...new Array<string>(zeros).fill("0"), ...(tail ?? [])].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

/** Returns the length of a reply in bytes. The address in it is not needed. */
function replyLength(type: number | undefined, nameLength: number | undefined): number | undefined {
  switch (type) {
    case addressTypes.ipv4:
      return 10;
    case addressTypes.ipv6:
      return 22;
    default:
      return nameLength === undefined ? undefined : 7 + nameLength;
  }
}
