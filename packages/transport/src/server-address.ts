import { KubeError } from "@typekube/core";
import type { TlsOptions } from "./tls-options.js";

/** Where the API server is. */
export interface ServerAddress {
  /** `https://host:port`. */
  readonly origin: string;
  /** Path prefix of every request, without a slash at its end: `/k8s/clusters/c-1`, or nothing. */
  readonly basePath: string;
  /** `host:port`, for messages; the port is always there. */
  readonly host: string;
  readonly secure: boolean;
}

/** The URL of a server: a bare `host:port` is understood as client-go does, https when TLS material is given, http otherwise. */
export function serverUrl(server: string, tls: TlsOptions): string {
  const scheme = tls.ca || tls.cert || tls.insecureSkipVerify ? "https" : "http";
  return server.includes("://") ? server : `${scheme}://${server}`;
}

/**
 * Takes the URL of a server apart, which may be a bare `host:port`: see {@link serverUrl}.
 *
 * @throws {KubeError} `Config`.
 */
export function parseServer(server: string, tls: TlsOptions): ServerAddress {
  const text = serverUrl(server, tls);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.hostname === "") {
    throw new KubeError("Config", "the server's address is not an http or https URL", {
      hint: "write it as https://host:port",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new KubeError("Config", `the address of ${url.host} holds a user or password`, {
      hint: "pass credentials separately: addresses appear in logs",
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new KubeError("Config", `the address of ${url.host} has a query or fragment`);
  }
  const secure = url.protocol === "https:";
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ""),
    host: url.port === "" ? `${url.hostname}:${secure ? 443 : 80}` : url.host,
    secure,
  };
}
