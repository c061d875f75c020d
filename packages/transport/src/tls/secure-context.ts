import { X509Certificate } from "node:crypto";
import * as nodeTls from "node:tls";
import { KubeError } from "@typekube/core";
import type { ProxyAddress } from "../proxy/proxy-address.js";
import { reveal, type Secret } from "../secrets/secret.js";
import type { Pem, TlsOptions } from "./tls-options.js";

/** Parsed TLS material of a transport; `undefined` where it does not use TLS. */
export interface TlsContexts {
  readonly server: nodeTls.SecureContext | undefined;
  /** Context for an https proxy. */
  readonly proxy: nodeTls.SecureContext | undefined;
}

/** Settings that the TLS contexts of a transport depend on. */
export interface TlsMaterial {
  readonly server: { readonly secure: boolean };
  readonly tls: TlsOptions;
  readonly proxy: Pick<ProxyAddress, "kind"> | undefined;
  readonly proxyCa: Pem | undefined;
}

/**
 * Parses the TLS material of a transport.
 *
 * @throws {KubeError} `Config` when it cannot be used.
 */
export function tlsContexts({ server, tls, proxy, proxyCa }: TlsMaterial): TlsContexts {
  return {
    server: server.secure ? secureContext(tls) : undefined,
    proxy: proxy?.kind === "https" ? proxyContext(proxyCa, tls.ca) : undefined,
  };
}

/**
 * Parses TLS material once: parsing it for each connection would be a large part of the connection's cost.
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
    // OpenSSL's message names the kind of problem and never contains the material.
    throw new KubeError("Config", "the CA, the client certificate or its key cannot be used", {
      cause: error,
      hint: "they must be PEM, and the key must belong to the certificate",
    });
  }
}

/**
 * Creates the context that verifies an https proxy.
 *
 * @param proxyCa - authorities that may have signed its certificate. Default: Node's and `serverCa`, since client-go
 * verifies a proxy like the server, and most proxies have publicly trusted certificates.
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
 * Trusts the given certificates as they are, as Go does: also intermediate authorities and a server's own certificate.
 * By default OpenSSL requires a chain to a root, which kubeconfigs of Rancher and others do not contain.
 */
function trusting(...ca: (Buffer | string)[]): nodeTls.SecureContextOptions {
  return { ca, allowPartialTrustChain: true };
}

const certificateBlock =
  /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g;

/**
 * Returns the readable certificates of a bundle, as Go does. OpenSSL stops at the first unreadable one and silently
 * trusts none after it.
 *
 * @throws OpenSSL's error when there are none: a context accepts any text as a CA and then trusts nothing.
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

/**
 * Returns Node's authorities, including those of NODE_EXTRA_CA_CERTS and of the system where this Node version can list
 * them.
 */
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
