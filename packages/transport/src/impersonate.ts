import { KubeError } from "@typekube/core";
import { assertKnownOptions, type Interceptor, type OptionNames } from "@typekube/core/internal";

/** As whom requests are to be judged; the client's own user needs the right to impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  /** Default: those that the server gives to any user of this name. */
  readonly groups?: readonly string[] | undefined;
  /** Further attributes, each with its values. Keys are not sensitive to case. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

const ofImpersonation: OptionNames<keyof Impersonation> = {
  extra: true,
  groups: true,
  uid: true,
  user: true,
};

/** Between the values of a header that is sent several times; no value can hold it. */
const betweenValues = "\n";

/**
 * Sends requests as somebody else: `Impersonate-User`, `-Uid`, `-Group` and `-Extra-<key>`. A request that brings an
 * `impersonate-user` itself is left alone, with all of its headers.
 *
 * Groups and extras are repeated headers. On their way through interceptors their values stand in one text, a line
 * each; {@link repeatedHeaders} takes them apart.
 *
 * @throws {KubeError} `Config` without a user, or for a value that no header can hold.
 */
export function impersonate(identity: Impersonation): Interceptor {
  const headers = impersonationHeaders(identity);
  return (next) => (request) =>
    next(
      request.headers["impersonate-user"] === undefined
        ? { ...request, headers: { ...request.headers, ...headers } }
        : request,
    );
}

/**
 * The headers of an impersonation: see {@link impersonate}.
 *
 * @throws {KubeError} `Config` without a user, or for a value that no header can hold.
 */
export function impersonationHeaders(identity: Impersonation): Readonly<Record<string, string>> {
  assertKnownOptions("impersonate", identity, ofImpersonation);
  const { user, uid, groups = [], extra = {} } = identity;
  if (!user) {
    throw new KubeError("Config", "impersonation of a uid, groups or extra needs a user");
  }
  const headers: Record<string, string> = { "impersonate-user": utf8(user) };
  if (uid) {
    headers["impersonate-uid"] = utf8(uid);
  }
  if (groups.length > 0) {
    headers["impersonate-group"] = groups.map(utf8).join(betweenValues);
  }
  for (const [key, values] of Object.entries(extra)) {
    if (values.length > 0) {
      const name = `impersonate-extra-${escapeKey(key)}`;
      const before = headers[name];
      headers[name] = [...(before === undefined ? [] : [before]), ...values.map(utf8)].join(
        betweenValues,
      );
    }
  }
  for (const value of [user, uid ?? "", ...groups, ...Object.values(extra).flat()]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new KubeError("Config", "a value to impersonate contains a control character", {
        hint: "HTTP headers cannot contain it",
      });
    }
  }
  return headers;
}

/** Headers are written byte by byte; as client-go the bytes are those of UTF-8. */
function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** As client-go: what is no letter of a header name, and `%` itself, becomes `%XX` of its UTF-8. */
function escapeKey(key: string): string {
  let escaped = "";
  for (const byte of Buffer.from(key, "utf8")) {
    // The server looks at it in lower case, so this only makes equal keys one header.
    const char = String.fromCharCode(byte).replace(/[A-Z]/, (letter) => letter.toLowerCase());
    escaped += /[a-z0-9!#$&'*+.^_`|~-]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/**
 * Headers as they go out: those of impersonation with several values become several headers. All others stay as they
 * are, so that a line feed in a token is refused as ever.
 */
export function repeatedHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (headers["impersonate-user"] === undefined) {
    return headers;
  }
  const repeated: Record<string, string | string[]> = { ...headers };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("impersonate-") && value.includes(betweenValues)) {
      repeated[name] = value.split(betweenValues);
    }
  }
  // undici sends a list as several headers; the type of a request, made for one value each, has no place for one.
  return repeated as Record<string, string>;
}
