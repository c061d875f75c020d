import type { HttpRequest } from "@typekube/core/internal";

/** The identity in the `Impersonate-*` headers of a request. */
export interface Impersonated {
  /** Empty when the headers set only groups, a UID or extra fields. */
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly (readonly [key: string, value: string])[];
}

const extraPrefix = "impersonate-extra-";

/** Reads `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*`; `undefined` without such headers. */
export function impersonatedBy(headers: HttpRequest["headers"]): Impersonated | undefined {
  if (!Object.keys(headers).some((header) => header.startsWith("impersonate-"))) {
    return undefined;
  }
  const name = textOf(headers["impersonate-user"]);
  const uid = textOf(headers["impersonate-uid"]);
  const groups = listOf(headers["impersonate-group"]);
  const extra = Object.entries(headers).flatMap(([header, value]) =>
    header.startsWith(extraPrefix)
      ? listOf(value).map((one) => [unescaped(header.slice(extraPrefix.length)), one] as const)
      : [],
  );
  const isAbsent = name === "" && uid === "" && groups.length === 0 && extra.length === 0;
  return isAbsent ? undefined : { name, uid, groups, extra };
}

/**
 * Splits repeated headers, which are joined by line feeds: names may contain commas, but no value can contain a line
 * feed.
 */
function listOf(header: string | undefined): string[] {
  return textOf(header)
    .split("\n")
    .filter((one) => one !== "");
}

/** Decodes a header as UTF-8, like Go does. Node delivers one character per byte. */
function textOf(header: string | undefined): string {
  return Buffer.from(header ?? "", "latin1").toString("utf8");
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
