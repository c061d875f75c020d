import { createHash } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { authenticated, type User } from "../access/user.js";
import { type ReadSubject, subjectOf } from "./subject-of.js";

/** What a client certificate says of who it is; `"faulty"` for one that real servers refuse. */
export type CertifiedUser = User | "faulty" | undefined;

/**
 * The user of a client certificate that the authority signed: its common name, in the groups of its organizations.
 *
 * @param readsUid - whether the uid counts that certificates may have (gate `AllowParsingUserUIDFromCertAuth`).
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

/** `""` where the uid is empty, no text, or not the only one. */
function onlyOne(uids: ReadSubject["uids"]): string | undefined {
  return uids.length > 1 ? "" : uids.length === 1 ? (uids[0] ?? "") : undefined;
}
