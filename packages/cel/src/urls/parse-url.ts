import { goQuoteUtf8 } from "../text/go-quote.js";
import { utf8Text } from "../text/utf8-text.js";
import { CelFailure } from "../values/cel-failure.js";
import { escapeUrl, unescapeUrl } from "./escape.js";
import type { GoUrl } from "./go-url.js";
import { parseAuthority } from "./parse-authority.js";

/** Parses an absolute URL or an absolute path as Go's `url.ParseRequestURI` does: `#` has no meaning in it. */
export function parseRequestUri(text: string): GoUrl | CelFailure {
  const bytes = utf8Text(text);
  return located(bytes, parse(bytes, true));
}

/** Parses an absolute URL or an absolute path with a fragment, and `//host/path`, as Go's `url.Parse` does. */
export function parseUrl(text: string): GoUrl | CelFailure {
  const bytes = utf8Text(text);
  const [start, rawFragment] = cut(bytes, "#");
  const url = located(start, parse(start, false));
  if (url instanceof CelFailure || rawFragment === "") {
    return url;
  }
  const fragment = located(bytes, unescapeUrl(rawFragment, "fragment"));
  return fragment instanceof CelFailure
    ? fragment
    : { ...url, fragment, rawFragment: asRaw(rawFragment, fragment, "fragment") };
}

/** Adds the URL to the message of a failure. */
function located<T>(bytes: string, result: T | CelFailure): T | CelFailure {
  return result instanceof CelFailure
    ? new CelFailure(`parse ${goQuoteUtf8(bytes)}: ${result.message}`)
    : result;
}

const empty: GoUrl = {
  scheme: "",
  opaque: "",
  user: undefined,
  host: "",
  path: "",
  rawPath: "",
  query: "",
  forceQuery: false,
  omitHost: false,
  fragment: "",
  rawFragment: "",
};

function parse(bytes: string, isRequest: boolean): GoUrl | CelFailure {
  if (hasControlByte(bytes)) {
    return new CelFailure("net/url: invalid control character in URL");
  }
  if (bytes === "") {
    return new CelFailure("empty url");
  }
  if (bytes === "*") {
    return { ...empty, path: "*" };
  }
  if (bytes.startsWith(":")) {
    return new CelFailure("missing protocol scheme");
  }
  const written = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(bytes)?.[1];
  const scheme = (written ?? "").toLowerCase();
  const behindScheme = written === undefined ? bytes : bytes.slice(written.length + 1);
  const [rest, query] = cut(behindScheme, "?");
  const forceQuery = query === "" && behindScheme.endsWith("?");
  const start = { ...empty, scheme, query, forceQuery };
  if (rest.startsWith("/")) {
    return parseHierarchy(start, rest, isRequest);
  }
  return scheme === "" ? new CelFailure("invalid URI for request") : { ...start, opaque: rest };
}

/** Parses `//host/path` or `/path`. */
function parseHierarchy(start: GoUrl, rest: string, isRequest: boolean): GoUrl | CelFailure {
  const hasScheme = start.scheme !== "";
  const mayHaveHost = hasScheme || !(isRequest || rest.startsWith("///"));
  if (!mayHaveHost || !rest.startsWith("//")) {
    return withPath({ ...start, omitHost: hasScheme }, rest);
  }
  const slash = rest.indexOf("/", 2);
  const end = slash < 0 ? rest.length : slash;
  const authority = parseAuthority(start.scheme, rest.slice(2, end));
  return authority instanceof CelFailure
    ? authority
    : withPath({ ...start, ...authority }, rest.slice(end));
}

function withPath(url: GoUrl, written: string): GoUrl | CelFailure {
  const path = unescapeUrl(written, "path");
  return path instanceof CelFailure
    ? path
    : { ...url, path, rawPath: asRaw(written, path, "path") };
}

/** Returns the written form if escaping the plain text does not give it back. */
function asRaw(written: string, plain: string, part: "fragment" | "path"): string {
  return escapeUrl(plain, part) === written ? "" : written;
}

function hasControlByte(bytes: string): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    const code = bytes.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) {
      return true;
    }
  }
  return false;
}

/** Splits at the first separator; the second part is empty without one. */
function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
