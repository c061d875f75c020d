import type { IncomingHttpHeaders } from "node:http2";
import { isLoopback, type ListenOptions } from "./listen-options.js";

/**
 * Returns whether a request may come from a web page of another site. Browsers send a page's requests to any address
 * they can reach, including this computer's. `Origin` identifies the page. If a site resolves its own name to this
 * computer (DNS rebinding), page and server appear to be the same origin, but `Host` contains the site's name.
 */
export function isFromOtherSite(
  headers: Pick<IncomingHttpHeaders, ":authority" | "host" | "origin" | "sec-fetch-site">,
  { host: own = "127.0.0.1", allowRemote = false }: Pick<ListenOptions, "allowRemote" | "host">,
): boolean {
  const { host = headers[":authority"], origin, "sec-fetch-site": site = "none" } = headers;
  const requested = host === undefined ? own : nameIn(`http://${host}`);
  // A server for other computers may have names that it does not know.
  if (!allowRemote && requested !== own && !isThisComputer(requested)) {
    return true;
  }
  // Requests for images, scripts and links carry no `Origin`. Only "same-origin" and "none" (entered by the user) are
  // harmless.
  if (origin === undefined && site !== "same-origin" && site !== "none") {
    return true;
  }
  const page = origin === undefined ? requested : nameIn(origin);
  return page !== requested && !isThisComputer(page);
}

function nameIn(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "";
}

function isThisComputer(name: string): boolean {
  return isLoopback(name) || name.endsWith(".localhost");
}
