import { createPrivateKey, X509Certificate } from "node:crypto";
import { mapOf } from "../kinds/parts.js";
import type { ApiObject } from "../store/stored-object.js";

const anyBlock = /-----BEGIN [A-Z0-9 ]+-----/;

/** What is told of a certificate and a key that do not go together. */
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

/** Of what is no certificate, or no key, nothing is told: each program words that otherwise. */
function isMismatch(certificate: string, key: string): boolean {
  try {
    return !new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
