import { escapeUrl, unescapeUrl } from "./escape.js";

/** A URL in the parts of Go's `url.URL`. The texts are UTF-8 bytes (`utf8Text`). */
export interface GoUrl {
  readonly scheme: string;
  /** Everything behind the scheme of a URL such as `mailto:a`. */
  readonly opaque: string;
  readonly user: UrlUser | undefined;
  /** Host with port. */
  readonly host: string;
  /** Path without escapes. */
  readonly path: string;
  /** The path as it was written if it is not what escaping `path` gives. */
  readonly rawPath: string;
  readonly query: string;
  /** True for a question mark at the end. */
  readonly forceQuery: boolean;
  /** True for `scheme:/path`. */
  readonly omitHost: boolean;
  readonly fragment: string;
  readonly rawFragment: string;
}

/** Name and password in front of a host. */
export interface UrlUser {
  readonly name: string;
  readonly password: string | undefined;
}

/** Returns the path with escapes, as it was written if that is valid. */
export function escapedPath({ path, rawPath }: GoUrl): string {
  return path === "*" && rawPath === "" ? "*" : asWritten(rawPath, path, "path");
}

/** Returns the host without the port and without the brackets of an IPv6 address. */
export function hostname({ host }: GoUrl): string {
  return splitHost(host).name;
}

/** Returns the port without the colon; empty without one. */
export function port({ host }: GoUrl): string {
  return splitHost(host).port;
}

function splitHost(host: string): { readonly name: string; readonly port: string } {
  const colon = host.lastIndexOf(":");
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return {
    name: name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name,
    port: hasPort ? host.slice(colon + 1) : "",
  };
}

/** Returns true for a colon with digits behind it, which may be missing, and for nothing. */
export function isPort(text: string): boolean {
  return /^(?::[0-9]*)?$/.test(text);
}

/** Returns the text of a URL. URLs with equal texts are equal. */
export function urlText(url: GoUrl): string {
  const start = url.scheme === "" ? "" : `${url.scheme}:`;
  const rest = url.opaque === "" ? withoutScheme(url, start !== "") : url.opaque;
  const query = url.forceQuery || url.query !== "" ? `?${url.query}` : "";
  const fragment =
    url.fragment === "" ? "" : `#${asWritten(url.rawFragment, url.fragment, "fragment")}`;
  return start + rest + query + fragment;
}

function withoutScheme(url: GoUrl, hasScheme: boolean): string {
  const { host, user } = url;
  const hasAuthority = host !== "" || user !== undefined;
  const slashes = hasAuthority || (hasScheme && !url.omitHost && url.path !== "") ? "//" : "";
  const login = user === undefined ? "" : `${userText(user)}@`;
  const path = escapedPath(url);
  const separator = path !== "" && !path.startsWith("/") && host !== "" ? "/" : "";
  const start = slashes + login + escapeUrl(host, "host") + separator;
  // A colon in the first segment would be read as the end of a scheme.
  const isAmbiguous = !hasScheme && start === "" && /^[^/]*:/.test(path);
  return start + (isAmbiguous ? "./" : "") + path;
}

function userText({ name, password }: UrlUser): string {
  const start = escapeUrl(name, "user");
  return password === undefined ? start : `${start}:${escapeUrl(password, "user")}`;
}

/** Matches texts in which a part may be written. */
const validEscaped = {
  fragment: /^[A-Za-z0-9\-_.~$&+,/:;=?@!'()*[\]%]*$/,
  path: /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/,
} as const;

/** Returns the escaped text as it was written if it is valid and means the same, otherwise escapes the plain text. */
function asWritten(written: string, plain: string, part: "fragment" | "path"): string {
  return written !== "" && validEscaped[part].test(written) && unescapeUrl(written, part) === plain
    ? written
    : escapeUrl(plain, part);
}
