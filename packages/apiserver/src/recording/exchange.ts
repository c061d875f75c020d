import type { HttpMethod } from "@typekube/core/internal";

/** One request and its answer, as a recording keeps them: one line of JSON each. */
export interface RecordedExchange {
  readonly method: HttpMethod;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What came, in the pieces in which it came; nothing secret in it. */
  readonly chunks: readonly string[];
}

/** What stands where something secret was. */
export const masked = "bWFza2Vk";

/**
 * The JSON of an answer without what is secret in it: data of Secrets, and tokens that a server gave. What cannot be read,
 * an answer that broke off for one, is not kept at all.
 */
export function maskJson(text: string): string {
  if (text.trim() === "") {
    return text;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `"${masked}"`;
  }
  const found = { secret: false };
  const copy = maskValue(value, false, found);
  // What holds nothing secret stays as it was written, large numbers too.
  return found.secret ? `${JSON.stringify(copy)}${text.endsWith("\n") ? "\n" : ""}` : text;
}

const secretKeys: ReadonlySet<string> = new Set(["data", "stringData"]);
const tokenKinds: ReadonlySet<string> = new Set([
  "TokenRequest",
  "TokenReview",
  "SelfSubjectReview",
]);
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

function maskValue(value: unknown, isSecret: boolean, found: { secret: boolean }): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => maskValue(item, isSecret, found));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const { kind } = value as { readonly kind?: unknown };
  const secret = isSecret || kind === "Secret" || kind === "SecretList";
  const isToken = typeof kind === "string" && tokenKinds.has(kind);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isApplied = key === lastApplied && (secret || String(inner).includes("Secret"));
      if (isApplied || (secret && secretKeys.has(key))) {
        found.secret = true;
        return [key, maskAll(inner)];
      }
      if (isToken && (key === "spec" || key === "status")) {
        found.secret = true;
        return [key, maskTokens(inner)];
      }
      return [key, maskValue(inner, secret, found)];
    }),
  );
}

function maskAll(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.keys(value).map((key) => [key, masked]))
    : masked;
}

function maskTokens(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? { ...value, ...("token" in value ? { token: masked } : {}) }
    : value;
}
