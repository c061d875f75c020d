import { createPrivateKey, X509Certificate } from "node:crypto";
import { KubeError } from "@typekube/core";

const hourMs = 3_600_000;
/** Milliseconds before the end of a certificate from which on its server is not ready. */
const expiryMarginMs = 24 * hourMs;

/**
 * Returns the certificate of a pair.
 *
 * @throws {KubeError} `Config` when one of the two is invalid or they do not belong together.
 */
export function checkedPair(cert: string, key: string): X509Certificate {
  let certificate: X509Certificate;
  let fits: boolean;
  try {
    certificate = new X509Certificate(cert);
    fits = certificate.checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw new KubeError("Config", "the certificate or its key is not valid PEM", { cause });
  }
  if (!fits) {
    throw new KubeError("Config", "the key does not belong to the certificate");
  }
  return certificate;
}

/** Returns the end of a certificate in milliseconds since 1970. */
export function endOf(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo);
}

/** Returns the problem of a certificate that has ended or will within a day. */
export function expiryProblem(cert: string, now: number): string | undefined {
  const certificate = new X509Certificate(cert);
  return now > endOf(certificate) - expiryMarginMs
    ? `the webhook's certificate is valid only until ${certificate.validTo}`
    : undefined;
}
