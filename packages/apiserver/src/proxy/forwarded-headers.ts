/** Headers of a connection, which a proxy does not pass on. (RFC 9110 §7.6.1) */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that are for the API server and not for what is behind it. */
const forServer = /^(?:authorization|host|impersonate-.*|sec-websocket-.*)$/;

/**
 * Returns the headers of a request for the backend.
 *
 * @param host - address of the backend.
 * @param path - path of the request on the API server, which becomes `X-Forwarded-Uri`.
 */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  host: string,
  path: string,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !ofConnection.has(name) && !forServer.test(name),
  );
  return { ...Object.fromEntries(kept), host, "x-forwarded-uri": path };
}

/**
 * Returns the headers of the backend's response for the client: a `Location` on the backend leads through the proxy.
 * (apimachinery `proxy.Transport`)
 *
 * @param host - address of the backend.
 * @param prefix - path on the API server that leads to the backend.
 */
export function responseHeaders(
  headers: Readonly<Record<string, string>>,
  host: string,
  prefix: string,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  const { location, ...others } = Object.fromEntries(kept);
  return location === undefined
    ? others
    : { ...others, location: throughProxy(location, host, prefix) };
}

function throughProxy(location: string, host: string, prefix: string): string {
  const [, target, rest = ""] = /^(?:https?:)?\/\/([^/?#]*)(.*)$/.exec(location) ?? [];
  const path = target === undefined ? location : rest || "/";
  const isElsewhere = target !== undefined && target !== host;
  return isElsewhere || !path.startsWith("/") || path.startsWith(prefix) ? location : prefix + path;
}
