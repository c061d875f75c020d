import type { HttpMethod } from "@typekube/core/internal";

/** A recorded request and its response; a recording holds one line of JSON for each. */
export interface RecordedExchange {
  readonly method: HttpMethod;
  /** Path and query. */
  readonly path: string;
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks of the response body as received, with secrets masked. */
  readonly chunks: readonly string[];
}

/** Replacement for a secret value. */
export const masked = "bWFza2Vk";

/**
 * Masks secrets in the JSON of a response: data of Secrets, and tokens issued by a server. JSON that can't be parsed,
 * such as a truncated response, is masked completely.
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
  // Text without secrets is kept verbatim, including large numbers.
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
