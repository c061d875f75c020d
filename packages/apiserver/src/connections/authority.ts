import { type Certificate, makeCertificate } from "./certificate.js";

/** Whom a client certificate is for. */
export interface CertifiedName {
  readonly name: string;
  /** Default none. */
  readonly groups?: readonly string[] | undefined;
  /** Default none. Servers look at it since 1.33. */
  readonly uid?: string | undefined;
}

/** The authority of one embedded server: vouches for its listeners and for users. */
export interface Authority {
  /** Its certificate as PEM. */
  readonly cert: string;
  server(hosts: readonly string[]): Pick<Certificate, "cert" | "key">;
  client(user: CertifiedName): Pick<Certificate, "cert" | "key">;
}

/** Makes an authority with a key of its own. */
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
