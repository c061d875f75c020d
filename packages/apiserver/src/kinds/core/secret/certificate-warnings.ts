import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ApiObject } from "../../../objects/api-object.js";
import { mapOf } from "../../../objects/parts.js";

const anyBlock = /-----BEGIN [A-Z0-9 ]+-----/;

/** Returns warnings about a TLS Secret whose certificate and key don't match. */
export function certificateWarnings(secret: ApiObject): string[] {
  if (secret["type"] !== "kubernetes.io/tls") {
    return [];
  }
  const data = mapOf(secret["data"]);
  const textOf = (key: string) => Buffer.from(String(data[key] ?? ""), "base64").toString("latin1");
  const [certificate, key] = [textOf("tls.crt"), textOf("tls.key")];
  const missing = [
    ["certificate", certificate],
    ["key", key],
  ].find(([, text = ""]) => !anyBlock.test(text));
  if (missing !== undefined) {
    return [`tls: failed to find any PEM data in ${missing[0]} input`];
  }
  return isMismatch(certificate, key) ? ["tls: private key does not match public key"] : [];
}

/**
 * Returns whether a key does not match its certificate. Unreadable data causes no warning, because the messages about
 * it depend on the TLS library.
 */
function isMismatch(certificate: string, key: string): boolean {
  try {
    return !new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
