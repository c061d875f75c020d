import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { makeCertificate } from "@typekube/transport/internal";
import { checkedPair, endOf } from "./key-pair.js";

const dayMs = 24 * 3_600_000;
const yearMs = 365 * dayMs;

/** Validity of a certificate authority. (cert-controller `pkg/rotator`: 10 years) */
const authorityLifetimeMs = 10 * yearMs;
/** Validity of a server's certificate. (cert-controller `pkg/rotator`: 1 year) */
const serverLifetimeMs = yearMs;
/** Rest of an authority's validity at which its replacement begins. (cert-controller `lookaheadInterval`: 90 days) */
const authorityRenewalMs = 90 * dayMs;
/** Rest of a server certificate's validity at which it is replaced. */
const serverRenewalMs = serverLifetimeMs / 3;

/** Milliseconds between two checks of a phase that should be over. */
const overdueCheckMs = 1_000;

/** Certificates that all replicas of a webhook share. */
export interface CertificateState {
  /** Certificates that API servers trust, each as PEM: one, or two while the authority is being replaced. */
  readonly bundle: readonly string[];
  /** Key of the authority that signs, as PEM. */
  readonly issuerKey: string;
  /** Key of the authority that will sign, while API servers learn to trust it. */
  readonly nextKey: string | undefined;
  /** Certificate of the server, as PEM. */
  readonly cert: string;
  readonly key: string;
  /** Start of the current phase of a replacement, in milliseconds since 1970. */
  readonly since: number;
}

/** Circumstances of {@link advanceCertificates}. */
export interface CertificateContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Names and addresses of the server. */
  readonly hosts: readonly string[];
  /** Milliseconds of each phase of a replacement: API servers have seen the bundle by then, replicas the certificate. */
  readonly phaseMs: number;
  /** `false` while the bundle has not reached the configurations: the phase then goes on. */
  readonly isPublished: boolean;
}

/**
 * Returns the certificates as they should be now; the same object when nothing is due. An authority is replaced in two
 * phases, so that no API server meets a certificate that it does not trust: first the bundle has the old and the new
 * authority, then the new one signs, and at last the old one leaves the bundle.
 */
export function advanceCertificates(
  state: CertificateState | undefined,
  context: CertificateContext,
): CertificateState {
  const { now, phaseMs, isPublished } = context;
  if (state === undefined) {
    return created(context);
  }
  const { bundle, nextKey, since } = state;
  const isPhaseOver = now - since >= phaseMs && isPublished;
  if (nextKey !== undefined) {
    const hosts = [...new Set([...context.hosts, ...hostsOf(new X509Certificate(state.cert))])];
    return isPhaseOver
      ? signed({ ...state, issuerKey: nextKey, nextKey: undefined, since: now }, { now, hosts })
      : renewed(state, context);
  }
  if (bundle.length > 1) {
    const own = isPhaseOver ? [issuerOf(state)] : bundle;
    return renewed(own === bundle ? state : { ...state, bundle: own, since: now }, context);
  }
  if (endOf(new X509Certificate(issuerOf(state))) - now < authorityRenewalMs) {
    const next = newAuthority(now);
    return renewed(
      { ...state, bundle: [...bundle, next.cert], nextKey: next.key, since: now },
      context,
    );
  }
  return renewed(state, context);
}

/** Returns milliseconds until something may be due; at most `longestMs`. */
export function nextCheckMs(
  { bundle, since }: CertificateState,
  { now, phaseMs }: Pick<CertificateContext, "now" | "phaseMs">,
  longestMs: number,
): number {
  if (bundle.length === 1) {
    return longestMs;
  }
  const leftMs = since + phaseMs - now;
  return Math.min(longestMs, leftMs > 0 ? leftMs : overdueCheckMs);
}

/**
 * Checks that certificates read from elsewhere belong together.
 *
 * @throws {KubeError} `Config`, or an error of `node:crypto`.
 */
export function assertCertificates(state: CertificateState): void {
  checkedPair(state.cert, state.key);
  const issuer = new X509Certificate(issuerOf(state));
  if (!new X509Certificate(state.cert).verify(issuer.publicKey)) {
    throw new Error("the certificate is not signed by the authority");
  }
}

function created({ now, hosts }: CertificateContext): CertificateState {
  const { cert, key } = newAuthority(now);
  const state = {
    bundle: [cert],
    issuerKey: key,
    nextKey: undefined,
    cert: "",
    key: "",
    since: now,
  };
  return signed(state, { now, hosts });
}

/** Returns the state with a new certificate of the server when the old one ends soon or lacks a name. */
function renewed(state: CertificateState, context: CertificateContext): CertificateState {
  const certificate = new X509Certificate(state.cert);
  const isSound =
    endOf(certificate) - context.now >= serverRenewalMs &&
    context.hosts.every((host) => certificate.checkHost(host) || certificate.checkIP(host));
  // Other replicas may need other names, in the middle of an update: none may take a name away.
  const hosts = [...new Set([...context.hosts, ...hostsOf(certificate)])];
  return isSound ? state : signed(state, { ...context, hosts });
}

function signed(
  state: CertificateState,
  { now, hosts }: Pick<CertificateContext, "hosts" | "now">,
): CertificateState {
  const issuer = new X509Certificate(issuerOf(state));
  const { cert, key } = makeCertificate({
    subject: { commonName: hosts[0] ?? "webhook" },
    use: "server",
    hosts,
    issuer: {
      subject: { commonName: commonNameOf(issuer) },
      key: createPrivateKey(state.issuerKey),
    },
    lifetimeMs: serverLifetimeMs,
    now,
  });
  return { ...state, cert, key };
}

/** Each authority has its own name: OpenSSL finds the issuer of a certificate by name. */
function newAuthority(now: number) {
  const day = new Date(now).toISOString().slice(0, 10);
  const suffix = crypto.randomUUID().slice(0, 8);
  return makeCertificate({
    subject: { commonName: `typekube-webhooks-${day}-${suffix}` },
    use: "authority",
    lifetimeMs: authorityLifetimeMs,
    now,
  });
}

function issuerOf({ bundle, issuerKey }: CertificateState): string {
  const spki = { type: "spki", format: "der" } as const;
  const own = createPublicKey(issuerKey).export(spki);
  const found = bundle.find((cert) => own.equals(new X509Certificate(cert).publicKey.export(spki)));
  if (found === undefined) {
    throw new Error("no certificate of the bundle belongs to the authority's key");
  }
  return found;
}

/** Returns the names and addresses of a certificate of ours. */
function hostsOf({ subjectAltName = "" }: X509Certificate): string[] {
  return subjectAltName
    .split(", ")
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ""))
    .filter((name) => name !== "");
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? "";
}
