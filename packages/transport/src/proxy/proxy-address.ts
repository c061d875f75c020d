import { KubeError } from "@typekube/core";
import { reveal, Secret } from "../secrets/secret.js";

/** Address of a proxy that opens tunnels. */
export interface ProxyAddress {
  /** Protocol of the proxy; `https` is HTTP over TLS with the proxy itself. */
  readonly kind: "http" | "https" | "socks5";
  /** Host of the proxy, without brackets around an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** `http://host:port`, for messages: without user and password. */
  readonly shown: string;
  /** User and password from the URL, if it has any. */
  readonly login: { readonly user: Secret; readonly password: Secret } | undefined;
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const;

/**
 * Parses the URL of a proxy. `socks5h:` is the same as `socks5:`, as in Go: the proxy resolves names.
 *
 * @throws {KubeError} `Config` for anything else; the URL is not shown, since it may contain a password.
 */
export function parseProxy(proxy: Secret | string): ProxyAddress {
  const text = reveal(proxy);
  const [, kind] = /^(https?|socks5)h?:\/\//i.exec(text) ?? [];
  // For schemes that it does not know, URL neither validates nor normalizes the host.
  const known = kind === undefined ? "" : text.replace(/^\w+:/, "https:");
  if (kind === undefined || !URL.canParse(known)) {
    throw new KubeError("Config", "the proxy address is not an http, https or socks5 URL", {
      hint: "write it as http://host:port",
    });
  }
  const url = new URL(known);
  const scheme = kind.toLowerCase() as ProxyAddress["kind"];
  // URL drops the default port of its scheme: here 443, which is the default for https but for no other kind of proxy.
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
