import { KubeError } from "@typekube/core";
import { assertOptions, type Interceptor, type OptionTable } from "@typekube/core/internal";

/** The user to impersonate. The client's own user needs permission for that. */
export interface Impersonation {
  /** Name of the user. */
  readonly user: string;
  /** UID of the user. Default: none. */
  readonly uid?: string | undefined;
  /** Groups of the user. Default: those that the server assigns to any user of this name. */
  readonly groups?: readonly string[] | undefined;
  /** Extra attributes, each with its values. Keys are not case-sensitive. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

const impersonationOptions: OptionTable<Impersonation> = {
  extra: true,
  groups: true,
  uid: true,
  user: true,
};

/** Separator between the values of a repeated header; no value can contain it. */
const betweenValues = "\n";

/**
 * Impersonates a user: adds `Impersonate-User`, `-Uid`, `-Group` and `-Extra-<key>` headers. A request with its own
 * `impersonate-user` stays unchanged.
 *
 * Groups and extras are repeated headers. While they pass through interceptors, their values are joined in one string,
 * one per line; {@link repeatedHeaders} splits it.
 *
 * @throws {KubeError} `Config` without a user, or for a value with a control character; `InvalidArgument` for an
 * unknown member.
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
 * Returns the headers of an impersonation: see {@link impersonate}.
 *
 * @throws {KubeError} `Config` without a user, or for a value with a control character; `InvalidArgument` for an
 * unknown member.
 */
export function impersonationHeaders(identity: Impersonation): Readonly<Record<string, string>> {
  assertOptions("impersonate", identity, impersonationOptions);
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
  for (const [place, value] of valuesOf(identity)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new KubeError("Config", `impersonate.${place} contains a control character`, {
        hint: "HTTP headers cannot contain control characters",
      });
    }
  }
  return headers;
}

/** Yields each value of an impersonation with its place, such as `groups[0]`. */
function* valuesOf({
  user,
  uid = "",
  groups = [],
  extra = {},
}: Impersonation): Iterable<readonly [place: string, value: string]> {
  yield ["user", user];
  yield ["uid", uid];
  for (const [at, group] of groups.entries()) {
    yield [`groups[${at}]`, group];
  }
  for (const [key, values] of Object.entries(extra)) {
    for (const [at, value] of values.entries()) {
      yield [`extra[${JSON.stringify(key)}][${at}]`, value];
    }
  }
}

/** Encodes a header value as UTF-8, as client-go does; headers are written as one byte per character. */
function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/**
 * Escapes a key as client-go does: characters that are not valid in a header name, and `%` itself, become `%XX` of
 * their UTF-8 bytes.
 */
function escapeKey(key: string): string {
  let escaped = "";
  for (const byte of Buffer.from(key, "utf8")) {
    // The server compares keys in lower case; this merges equal keys into one header.
    const char = String.fromCharCode(byte).replace(/[A-Z]/, (letter) => letter.toLowerCase());
    escaped += /[a-z0-9!#$&'*+.^_`|~-]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/**
 * Splits impersonation headers with several values into repeated headers, for sending. All other headers stay
 * unchanged, so that a line feed in a token is still rejected.
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
  // undici sends a list as repeated headers; the request type allows one string per header.
  return repeated as Record<string, string>;
}
