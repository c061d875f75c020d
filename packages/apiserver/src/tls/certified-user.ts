import { createHash } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { authenticated, type User } from "../objects/user.js";
import { type ReadSubject, subjectOf } from "./subject-of.js";

/** The user of a client certificate; `"faulty"` for a certificate that real servers reject. */
export type CertifiedUser = User | "faulty" | undefined;

/**
 * Reads the user of a client certificate signed by the authority: its common name, in the groups of its organizations.
 *
 * @param readsUid - `true` when a UID in the certificate counts (gate `AllowParsingUserUIDFromCertAuth`).
 */
export function certifiedUser(socket: Partial<TLSSocket>, readsUid: boolean): CertifiedUser {
  const certificate = socket.authorized === true ? socket.getPeerX509Certificate?.() : undefined;
  if (certificate === undefined) {
    return undefined;
  }
  const subject = attempt(() => subjectOf(certificate.raw));
  if (subject === undefined) {
    return "faulty";
  }
  const { commonName, organizations, uids } = subject;
  if (commonName === undefined || commonName === "") {
    return undefined;
  }
  const uid = readsUid ? onlyOne(uids) : undefined;
  if (uid === "") {
    return "faulty";
  }
  const digest = createHash("sha256").update(certificate.raw).digest("hex");
  return authenticated({
    name: commonName,
    groups: organizations,
    ...(uid === undefined ? {} : { uid }),
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${digest}`] },
  });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns `""` when the UID is empty, not a string or not unique. */
function onlyOne(uids: ReadSubject["uids"]): string | undefined {
  return uids.length > 1 ? "" : uids.length === 1 ? (uids[0] ?? "") : undefined;
}
