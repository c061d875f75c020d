import type { IncomingHttpHeaders } from "node:http2";
import { isLoopback, type ListenOptions } from "./listen-options.js";

/**
 * Whether a web page of another site may be behind a request. Browsers send whatever a page tells them to any address they
 * reach, this computer's too. They say whose page it is in `Origin`; where a site gives its own name this computer's
 * address, so that the page and the server look like one, its name stands in `Host`.
 */
export function isFromOtherSite(
  headers: Pick<IncomingHttpHeaders, ":authority" | "host" | "origin" | "sec-fetch-site">,
  { host: own = "127.0.0.1", allowRemote = false }: Pick<ListenOptions, "allowRemote" | "host">,
): boolean {
  const { host = headers[":authority"], origin, "sec-fetch-site": site = "none" } = headers;
  const requested = host === undefined ? own : nameIn(`http://${host}`);
  // A server for other computers has names that nobody told it.
  if (!allowRemote && requested !== own && !isThisComputer(requested)) {
    return true;
  }
  // Requests for images, scripts and links carry no `Origin`. Only "same-origin" and "none" (typed by the user) are harmless.
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
