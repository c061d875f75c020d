import { createHash, type X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { authenticated, type User } from "../access/user.js";

/** The user of a client certificate that the authority signed: its common name, in the groups of its organizations. */
export function certifiedUser(socket: Partial<TLSSocket>): User | undefined {
  if (socket.authorized !== true) {
    return undefined;
  }
  const certificate = socket.getPeerX509Certificate?.();
  const name = certificate && partsOf(certificate, "CN")[0];
  if (certificate === undefined || name === undefined) {
    return undefined;
  }
  const digest = createHash("sha256").update(certificate.raw).digest("hex");
  return authenticated({
    name,
    groups: partsOf(certificate, "O"),
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${digest}`] },
  });
}

function partsOf({ subject }: X509Certificate, key: "CN" | "O"): string[] {
  return subject
    .split("\n")
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));
}
