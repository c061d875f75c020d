import { X509Certificate } from "node:crypto";
import { type CertificateSubject, makeCertificate } from "@typekube/transport/internal";
import { describe, expect, it } from "vitest";
import { certifiedUser } from "../src/tls/certified-user.js";
import { subjectOf } from "../src/tls/subject-of.js";

const certificateOf = (subject: CertificateSubject) =>
  new X509Certificate(makeCertificate({ subject, use: "client" }).cert);

function userOf(subject: CertificateSubject, { authorized = true, readsUid = true } = {}) {
  const certificate = certificateOf(subject);
  return certifiedUser({ authorized, getPeerX509Certificate: () => certificate }, readsUid);
}

describe("user of a client certificate", () => {
  it("§3.20: has the name, groups and uid of the subject, and the digest of the certificate", () => {
    expect(userOf({ commonName: "jane", organizations: ["a", "b"], uids: ["42"] })).toEqual({
      name: "jane",
      uid: "42",
      groups: ["a", "b", "system:authenticated"],
      extra: {
        "authentication.kubernetes.io/credential-id": [
          expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/),
        ],
      },
    });
  });

  it("§3.20: is read from the bytes: commas, newlines and special characters are part of a name", () => {
    const commonName = 'a,b\\c="d"\nO=system:masters';
    expect(userOf({ commonName, organizations: ["x,y", "ü"] })).toMatchObject({
      name: commonName,
      groups: ["x,y", "ü", "system:authenticated"],
    });
  });

  it("§3.20: rejects an empty uid and several uids, unless uids are not read", () => {
    for (const uids of [[""], ["1", "2"]]) {
      expect(userOf({ commonName: "jane", uids })).toBe("faulty");
      expect(userOf({ commonName: "jane", uids }, { readsUid: false })).not.toHaveProperty("uid");
    }
  });

  it("§3.20: is undefined without a name, and for an untrusted certificate", () => {
    expect(userOf({ commonName: "" })).toBeUndefined();
    expect(userOf({ commonName: "jane" }, { authorized: false })).toBeUndefined();
  });

  it("rejects truncated certificates of any length", () => {
    const { raw } = certificateOf({ commonName: "jane", organizations: ["a"] });
    for (let length = 0; length < raw.byteLength; length++) {
      expect(() => subjectOf(raw.subarray(0, length))).toThrow(RangeError);
    }
    const broken = certificateOf({ commonName: "jane" });
    Object.defineProperty(broken, "raw", { value: raw.subarray(0, 99) });
    const socket = { authorized: true, getPeerX509Certificate: () => broken };
    expect(certifiedUser(socket, true)).toBe("faulty");
    expect(() => subjectOf(Buffer.from([0x30, 0x80, 0, 0]))).toThrow(RangeError);
    expect(() => subjectOf(Buffer.from([0x30, 0x85, 1, 1, 1, 1, 1]))).toThrow(RangeError);
  });
});
