import { type Certificate, makeCertificate } from "@typekube/transport/internal";

/** Subject of a client certificate. */
export interface CertifiedName {
  /** Name of the user: the common name of the certificate. */
  readonly name: string;
  /** Default none. */
  readonly groups?: readonly string[] | undefined;
  /** Default none. Servers read it since 1.33. */
  readonly uid?: string | undefined;
}

/** The certificate authority of one embedded server: issues certificates for its listeners and for users. */
export interface Authority {
  /** The CA certificate as PEM. */
  readonly cert: string;
  server(hosts: readonly string[]): Pick<Certificate, "cert" | "key">;
  client(user: CertifiedName): Pick<Certificate, "cert" | "key">;
}

/** Creates an authority with a new key. */
export function createAuthority(): Authority {
  const subject = { commonName: "typekube-embedded-ca" };
  const { cert, privateKey: key } = makeCertificate({ subject, use: "authority" });
  const issuer = { subject, key };
  return {
    cert,
    server: (hosts) =>
      makeCertificate({
        subject: { commonName: "kube-apiserver" },
        use: "server",
        hosts: [...hosts],
        issuer,
      }),
    client: ({ name, groups = [], uid }) =>
      makeCertificate({
        subject: {
          commonName: name,
          organizations: groups,
          uids: uid === undefined ? [] : [uid],
        },
        use: "client",
        issuer,
      }),
  };
}
