import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { der } from "./der.js";

/** Subject of a certificate. */
export interface CertificateSubject {
  readonly commonName: string;
  /** Groups of a user. */
  readonly organizations?: readonly string[];
  /** UID that tells apart users who had the same name at different times. Servers reject more than one. */
  readonly uids?: readonly string[];
}

/** Content of a certificate to create. */
export interface CertificateRequest {
  readonly subject: CertificateSubject;
  readonly use: "authority" | "client" | "server";
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  /** Issuer; absent for a self-signed certificate. */
  readonly issuer?: { readonly subject: CertificateSubject; readonly key: KeyObject };
  /** Validity in milliseconds from now. Default a year. */
  readonly lifetimeMs?: number;
  /** Time of the issue, in milliseconds since 1970. Default: the system clock, which TLS uses too. */
  readonly now?: number;
}

/** A certificate and its key, both as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly privateKey: KeyObject;
}

/** Object identifiers used in certificates. */
export const certificateIds = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  /** Defined by Kubernetes (`1.3.6.1.4.1.57683` is its enterprise number), read since 1.33. */
  userUid: "1.3.6.1.4.1.57683.2",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
  subjectKeyIdentifier: "2.5.29.14",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

const hourMs = 3_600_000;
/** Default validity. */
const yearMs = 365 * 24 * hourMs;

/** Generates a P-256 key and a certificate for it, valid from an hour ago: clocks differ. */
export function makeCertificate({
  subject,
  use,
  hosts = [],
  issuer,
  lifetimeMs = yearMs,
  now = Date.now(),
}: CertificateRequest): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const algorithm = der.sequence(der.objectIdentifier(certificateIds.ecdsaWithSha256));
  const body = der.sequence(
    der.tagged(0, true, der.integer(Buffer.from([2]))),
    der.integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    algorithm,
    nameOf(issuer?.subject ?? subject),
    der.sequence(der.time(new Date(now - hourMs)), der.time(new Date(now + lifetimeMs))),
    nameOf(subject),
    spki,
    der.tagged(3, true, der.sequence(...extensions(use, hosts, spki))),
  );
  const signature = sign("sha256", body, issuer?.key ?? privateKey);
  const bytes = der.sequence(body, algorithm, der.bitString(signature));
  return {
    cert: pem("CERTIFICATE", bytes),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    privateKey,
  };
}

function nameOf({ commonName, organizations = [], uids = [] }: CertificateSubject): Buffer {
  const part = (id: string, value: string) =>
    der.set(der.sequence(der.objectIdentifier(id), der.text(value)));
  return der.sequence(
    ...organizations.map((one) => part(certificateIds.organization, one)),
    part(certificateIds.commonName, commonName),
    ...uids.map((one) => part(certificateIds.userUid, one)),
  );
}

function extensions(
  use: CertificateRequest["use"],
  hosts: readonly string[],
  spki: Buffer,
): Buffer[] {
  const extension = (id: string, critical: boolean, value: Buffer) =>
    der.sequence(
      der.objectIdentifier(id),
      ...(critical ? [der.boolean(true)] : []),
      der.octetString(value),
    );
  const isAuthority = use === "authority";
  const identifier = createHash("sha1").update(spki).digest();
  const common = [
    extension(
      certificateIds.basicConstraints,
      true,
      isAuthority ? der.sequence(der.boolean(true)) : der.sequence(),
    ),
    // `keyCertSign` for an authority, otherwise `digitalSignature`.
    extension(
      certificateIds.keyUsage,
      true,
      isAuthority ? der.bitString(Buffer.from([0x06]), 1) : der.bitString(Buffer.from([0x80]), 7),
    ),
    extension(certificateIds.subjectKeyIdentifier, false, der.octetString(identifier)),
  ];
  if (isAuthority) {
    return common;
  }
  const purpose = use === "server" ? certificateIds.serverAuth : certificateIds.clientAuth;
  return [
    ...common,
    extension(certificateIds.extendedKeyUsage, false, der.sequence(der.objectIdentifier(purpose))),
    ...(hosts.length === 0
      ? []
      : [
          extension(
            certificateIds.subjectAltName,
            false,
            der.sequence(...hosts.map(alternativeName)),
          ),
        ]),
  ];
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) {
    return der.tagged(7, false, Buffer.from(host.split(".").map(Number)));
  }
  return isIPv6(host)
    ? der.tagged(7, false, ipv6Bytes(host))
    : der.tagged(2, false, Buffer.from(host, "latin1"));
}

function ipv6Bytes(host: string): Buffer {
  const [head = "", tail] = host.split("::");
  const words = (part: string) => part.split(":").filter((word) => word !== "");
  const [first, last] = [words(head), words(tail ?? "")];
  const zeros = Array<string>(8 - first.length - last.length).fill("0");
  const all = [...first, ...zeros, ...last].map((word) => word.padStart(4, "0"));
  return Buffer.from(all.join(""), "hex");
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
