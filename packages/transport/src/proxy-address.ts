import { KubeError } from "@typekube/core";
import { reveal, Secret } from "./secret.js";

/** A proxy that makes tunnels. */
export interface ProxyAddress {
  /** How one talks to it; `https` is http over TLS with the proxy itself. */
  readonly kind: "http" | "https" | "socks5";
  /** Without brackets around an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** `http://host:port`, for messages: without user and password. */
  readonly shown: string;
  /** The user and the password of the URL, if it has any. */
  readonly login: { readonly user: Secret; readonly password: Secret } | undefined;
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const;

/**
 * Takes the URL of a proxy apart. `socks5h:` is the same as `socks5:`, as in Go: names are resolved by the proxy.
 *
 * @throws {KubeError} `Config` for anything else; the URL is not shown, it may hold a password.
 */
export function parseProxy(proxy: Secret | string): ProxyAddress {
  const text = reveal(proxy);
  const [, kind] = /^(https?|socks5)h?:\/\//i.exec(text) ?? [];
  // Of schemes that it does not know, a URL neither checks nor completes the host.
  const known = kind === undefined ? "" : text.replace(/^\w+:/, "https:");
  if (kind === undefined || !URL.canParse(known)) {
    throw new KubeError("Config", "the proxy address is not an http, https or socks5 URL", {
      hint: "write it as http://host:port",
    });
  }
  const url = new URL(known);
  const scheme = kind.toLowerCase() as ProxyAddress["kind"];
  // A URL drops the port that its scheme has anyway: 443 here, which is that of https and of nobody else.
  const named = url.port === "" && /:443\/?$/.test(text) ? "443" : url.port;
  const port = named === "" ? defaultPorts[scheme] : Number(named);
  const [user = "", password = ""] = [url.username, url.password].map(decoded);
  return {
    kind: scheme,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    shown: `${scheme}://${url.hostname}:${port}`,
    login:
      user === "" && password === ""
        ? undefined
        : { user: new Secret(user), password: new Secret(password) },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
