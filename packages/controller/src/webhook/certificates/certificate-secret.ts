import type { Secret } from "@typekube/api/core/v1";
import { assertCertificates, type CertificateState } from "./certificate-state.js";

/** Annotation with the start of the current phase of a CA's replacement. */
const sinceAnnotation = "typekube.dev/rotation-since";

/** Returns the Secret with the certificates of a webhook; others can mount it like one of cert-manager. */
export function certificateSecret(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  state: CertificateState,
): Secret {
  const { bundle, issuerKey, nextKey, cert, key, since } = state;
  const texts = {
    "tls.crt": cert,
    "tls.key": key,
    "ca.crt": bundle.join(""),
    "ca.key": issuerKey,
    ...(nextKey === undefined ? {} : { "next-ca.key": nextKey }),
  };
  const data = Object.entries(texts).map(([file, text]) => [
    file,
    Buffer.from(text).toString("base64"),
  ]);
  return {
    metadata: {
      name,
      namespace,
      annotations: { [sinceAnnotation]: new Date(since).toISOString() },
    },
    type: "kubernetes.io/tls",
    data: Object.fromEntries(data),
  };
}

/**
 * Returns the certificates in a Secret.
 *
 * @throws when they are incomplete or do not belong together.
 */
export function certificatesIn({ data = {}, metadata }: Secret): CertificateState {
  const text = (file: string) => Buffer.from(data[file] ?? "", "base64").toString();
  const state: CertificateState = {
    bundle:
      text("ca.crt").match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n?/g) ?? [],
    issuerKey: text("ca.key"),
    nextKey: data["next-ca.key"] === undefined ? undefined : text("next-ca.key"),
    cert: text("tls.crt"),
    key: text("tls.key"),
    since: Date.parse(metadata?.annotations?.[sinceAnnotation] ?? "") || 0,
  };
  assertCertificates(state);
  return state;
}
