import { isIpv4 } from "../addresses/ip-address.js";
import { parseIpAddress } from "../addresses/parse-ip-address.js";
import { goQuoteUtf8 } from "../text/go-quote.js";
import { textOfUtf8 } from "../text/utf8-text.js";
import { CelFailure } from "../values/cel-failure.js";
import { unescapeUrl } from "./escape.js";
import { isPort, type UrlUser } from "./go-url.js";

/** Host and user in front of a path. */
export interface Authority {
  readonly host: string;
  readonly user: UrlUser | undefined;
}

/** Parses `user:password@host:port`. */
export function parseAuthority(scheme: string, bytes: string): Authority | CelFailure {
  const at = bytes.lastIndexOf("@");
  const host = parseHost(scheme, bytes.slice(at + 1));
  if (host instanceof CelFailure || at < 0) {
    return host instanceof CelFailure ? host : { host, user: undefined };
  }
  const user = parseUser(bytes.slice(0, at));
  return user instanceof CelFailure ? user : { host, user };
}

function parseUser(bytes: string): UrlUser | CelFailure {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(bytes)) {
    return new CelFailure("net/url: invalid userinfo");
  }
  const colon = bytes.indexOf(":");
  const name = unescapeUrl(colon < 0 ? bytes : bytes.slice(0, colon), "user");
  if (name instanceof CelFailure || colon < 0) {
    return name instanceof CelFailure ? name : { name, password: undefined };
  }
  const password = unescapeUrl(bytes.slice(colon + 1), "user");
  return password instanceof CelFailure ? password : { name, password };
}

function parseHost(scheme: string, bytes: string): string | CelFailure {
  const bracket = bytes.lastIndexOf("[");
  if (bracket > 0) {
    return new CelFailure("invalid IP-literal");
  }
  if (bracket === 0) {
    return parseBracketed(bytes);
  }
  // Only the schemes of the web refuse a second colon.
  const isWeb = scheme === "http" || scheme === "https";
  const colon = isWeb ? bytes.indexOf(":") : bytes.lastIndexOf(":");
  const wrong = colon < 0 ? undefined : portProblem(bytes.slice(colon));
  return wrong ?? unescapeUrl(bytes, "host");
}

function portProblem(text: string): CelFailure | undefined {
  return isPort(text) ? undefined : new CelFailure(`invalid port ${goQuoteUtf8(text)} after host`);
}

/** Parses `[::1%25zone]:80`. */
function parseBracketed(bytes: string): string | CelFailure {
  const end = bytes.lastIndexOf("]");
  if (end < 0) {
    return new CelFailure("missing ']' in host");
  }
  const port = bytes.slice(end + 1);
  const wrong = portProblem(port);
  if (wrong !== undefined) {
    return wrong;
  }
  const name = unescapeAddress(bytes.slice(1, end));
  if (name instanceof CelFailure) {
    return name;
  }
  const address = parseIpAddress(textOfUtf8(name));
  if (typeof address === "string") {
    return new CelFailure(`invalid host: ${address}`);
  }
  return isIpv4(address) ? new CelFailure("invalid IP-literal") : `[${name}]${port}`;
}

/** Removes the escapes of an address and of its zone, which begins with `%25` and may escape more. */
function unescapeAddress(bytes: string): string | CelFailure {
  const start = bytes.indexOf("%25");
  if (start < 0) {
    return unescapeUrl(bytes, "host");
  }
  const host = unescapeUrl(bytes.slice(0, start), "host");
  const zone = unescapeUrl(bytes.slice(start), "zone");
  if (host instanceof CelFailure) {
    return host;
  }
  return zone instanceof CelFailure ? zone : host + zone;
}
