import { KubeError } from "@typekube/core";
import type { TlsOptions } from "../tls/tls-options.js";

/** Address of the API server. */
export interface ServerAddress {
  /** `https://host:port`. */
  readonly origin: string;
  /** Path prefix of every request, without a trailing slash: `/k8s/clusters/c-1`, or empty. */
  readonly basePath: string;
  /** `host:port`, for messages; always includes the port. */
  readonly host: string;
  readonly secure: boolean;
}

/**
 * Returns the URL of a server. A bare `host:port` gets a scheme as in client-go: https when TLS material is given, http
 * otherwise.
 */
export function serverUrl(server: string, tls: TlsOptions): string {
  const scheme = tls.ca || tls.cert || tls.insecureSkipVerify ? "https" : "http";
  return server.includes("://") ? server : `${scheme}://${server}`;
}

/**
 * Parses the URL of a server, or a bare `host:port`: see {@link serverUrl}.
 *
 * @throws {KubeError} `Config` for an invalid URL, and for one with a user, password, query or fragment.
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
    throw new KubeError("Config", `the address of ${url.host} contains a user or password`, {
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
