import { createPrivateKey, X509Certificate } from "node:crypto";
import { KubeError } from "@typekube/core";
import { Secret } from "@typekube/transport";
import type { ClientCertificate } from "../credentials/credentials-types.js";

/** Credentials that a plugin printed. */
export interface ExecCredential {
  readonly token: Secret | undefined;
  readonly certificate: ClientCertificate | undefined;
  /**
   * Expiry in milliseconds since the epoch: the plugin's `expirationTimestamp` or the end of the certificate, whichever
   * comes first.
   */
  readonly expiresAtMs: number | undefined;
}

/**
 * Validates the output of a plugin: an ExecCredential of the requested apiVersion with a token, a certificate and its
 * key, or both.
 *
 * @param credential - the parsed output.
 * @param path - the plugin, for error messages.
 * @throws {KubeError} `Config`; the message contains nothing of the output.
 */
export function readExecCredential(
  credential: unknown,
  apiVersion: string,
  path: string,
): ExecCredential {
  const fault = (text: string) => new KubeError("Config", `the exec plugin ${path} ${text}`);
  if (!isObject(credential)) {
    throw fault("printed neither a JSON object nor a YAML mapping");
  }
  if (credential["kind"] !== "ExecCredential") {
    throw fault("printed an object of another kind than ExecCredential");
  }
  if (credential["apiVersion"] !== apiVersion) {
    throw fault(`printed another apiVersion than ${apiVersion}, which the kubeconfig requests`);
  }
  const { status } = credential;
  if (!isObject(status)) {
    throw fault("printed no status");
  }
  const [token, cert, key, expiration] = [
    "token",
    "clientCertificateData",
    "clientKeyData",
    "expirationTimestamp",
  ].map((field) => {
    const value = status[field] ?? "";
    if (typeof value !== "string") {
      throw fault(`printed a ${field} that is not a string`);
    }
    return value;
  }) as [string, string, string, string];
  if (token === "" && cert === "" && key === "") {
    throw fault("printed neither a token nor a certificate");
  }
  if ((cert === "") !== (key === "")) {
    throw fault("printed a certificate without its key, or a key without its certificate");
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  if (/[\x00-\x1f\x7f]|[^\x00-\xff]/.test(token)) {
    throw fault("printed a token that is not a valid header value");
  }
  const validUntil = cert === "" ? undefined : endOf(cert, key, fault);
  const expiresAt = expiration === "" ? undefined : timeOf(expiration);
  if (Number.isNaN(expiresAt)) {
    throw fault("printed an expirationTimestamp that is not an RFC 3339 time");
  }
  const ends = [validUntil, expiresAt].filter((at) => at !== undefined);
  return {
    token: token === "" ? undefined : new Secret(token),
    certificate: cert === "" ? undefined : { cert, key: new Secret(key) },
    expiresAtMs: ends.length > 0 ? Math.min(...ends) : undefined,
  };
}

/** Parses RFC 3339 only: `Date` takes a bare number for a year, and a time without a zone for local time. */
function timeOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** Returns the expiry of a certificate, after checking that the key belongs to it. */
function endOf(cert: string, key: string, fault: (text: string) => KubeError): number {
  let certificate: X509Certificate;
  let isPair: boolean;
  try {
    certificate = new X509Certificate(cert);
    isPair = certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw fault("printed a certificate or a key that is not PEM");
  }
  if (!isPair) {
    throw fault("printed a key that does not belong to its certificate");
  }
  return Date.parse(certificate.validTo);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
