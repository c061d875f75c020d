import type { HttpRequest } from "@typekube/core/internal";

/** Whom the headers of a request want it taken as. */
export interface Impersonated {
  /** Empty when only groups or the like are named. */
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly (readonly [key: string, value: string])[];
}

const extraPrefix = "impersonate-extra-";

/** Reads `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*`; `undefined` where there are none. */
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

/** The values of repeated headers come with line ends between them, which no value can hold: names may hold commas. */
function listOf(header: string | undefined): string[] {
  return textOf(header)
    .split("\n")
    .filter((one) => one !== "");
}

/** Headers arrive a character per byte; the bytes are UTF-8, as Go takes them. */
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
