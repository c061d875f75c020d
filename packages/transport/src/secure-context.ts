import { X509Certificate } from "node:crypto";
import * as nodeTls from "node:tls";
import { KubeError } from "@typekube/core";
import { reveal, type Secret } from "./secret.js";
import type { Pem, TlsOptions } from "./tls-options.js";
import type { TransportSettings } from "./transport-options.js";

/** TLS material of a transport, parsed: where it speaks TLS at all. */
export interface TlsContexts {
  readonly server: nodeTls.SecureContext | undefined;
  /** Of an https proxy. */
  readonly proxy: nodeTls.SecureContext | undefined;
}

/** @throws {KubeError} `Config` when the TLS material cannot be used. */
export function tlsContexts({ server, tls, proxy, proxyCa }: TransportSettings): TlsContexts {
  return {
    server: server.secure ? secureContext(tls) : undefined,
    proxy: proxy?.kind === "https" ? proxyContext(proxyCa, tls.ca) : undefined,
  };
}

/**
 * The TLS material, parsed. Made once: parsing it again for each connection would be a good part of the connection's cost.
 *
 * @throws {KubeError} `Config` when it cannot be used.
 */
function secureContext(tls: Pick<TlsOptions, "ca" | "cert" | "key">): nodeTls.SecureContext {
  try {
    return nodeTls.createSecureContext({
      minVersion: "TLSv1.2",
      ...(tls.ca !== undefined ? trusting(...certificatesOf(tls.ca)) : {}),
      ...(tls.cert ? { cert: pem(tls.cert) } : {}),
      ...(tls.key ? { key: pem(tls.key) } : {}),
    });
  } catch (error) {
    // OpenSSL's text names the kind of fault and never the material.
    throw new KubeError("Config", "the CA, the client certificate or its key cannot be used", {
      cause: error,
      hint: "they must be PEM, and the key must belong to the certificate",
    });
  }
}

/**
 * How an https proxy is verified.
 *
 * @param proxyCa - the authorities that may have signed its certificate. Default: Node's and `serverCa`, since client-go verifies
 * a proxy as it does the server, and the certificates of most proxies are everybody's.
 * @throws {KubeError} `Config` when they cannot be used.
 */
function proxyContext(proxyCa: Pem | undefined, serverCa: Pem | undefined): nodeTls.SecureContext {
  const own = secureContext({ ca: proxyCa ?? serverCa });
  return proxyCa !== undefined || serverCa === undefined
    ? own
    : nodeTls.createSecureContext({
        minVersion: "TLSv1.2",
        ...trusting(...nodesAuthorities(), ...certificatesOf(serverCa)),
      });
}

/**
 * What is given is trusted as it is, as Go does: also an authority that another one signed, and a server's own certificate.
 * OpenSSL by itself goes on to a root, which kubeconfigs of Rancher and others do not hold.
 */
function trusting(...ca: (Buffer | string)[]): nodeTls.SecureContextOptions {
  return { ca, allowPartialTrustChain: true };
}

const certificateBlock =
  /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g;

/**
 * The certificates of a bundle that can be read, as Go takes them. OpenSSL stops at the first that it cannot read, and trusts none
 * behind it without a word.
 *
 * @throws OpenSSL's error when there is none: a context takes any text for a CA and then trusts nobody.
 */
function certificatesOf(ca: Pem): readonly string[] {
  const text = pem(ca).toString();
  const certificates = (text.match(certificateBlock) ?? []).filter(isCertificate);
  if (certificates.length === 0) {
    new X509Certificate(text);
  }
  return certificates;
}

function isCertificate(block: string): boolean {
  try {
    new X509Certificate(block);
    return true;
  } catch {
    return false;
  }
}

/** With those of NODE_EXTRA_CA_CERTS and of the system where this Node can tell. */
function nodesAuthorities(): readonly string[] {
  const { getCACertificates, rootCertificates } = nodeTls as {
    readonly getCACertificates?: (type: "default") => string[];
    readonly rootCertificates: readonly string[];
  };
  return getCACertificates?.("default") ?? rootCertificates;
}

function pem(text: Pem | Secret): string | Buffer {
  return text instanceof Uint8Array ? Buffer.from(text) : reveal(text);
}
