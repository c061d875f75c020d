import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  certificateSecret,
  certificatesIn,
} from "../../src/webhook/certificates/certificate-secret.js";
import {
  advanceCertificates,
  type CertificateState,
  nextCheckMs,
} from "../../src/webhook/certificates/certificate-state.js";
import { endOf, expiryProblem } from "../../src/webhook/certificates/key-pair.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 10, 26);
const hosts = ["shop-hooks.prod.svc", "shop-hooks.prod.svc.cluster.local"];
const context = (now: number, isPublished = true) => ({ now, hosts, phaseMs: hourMs, isPublished });

/** Returns `true` when an API server with this bundle accepts the certificate. */
function isTrusted({ bundle }: CertificateState, { cert }: CertificateState): boolean {
  const certificate = new X509Certificate(cert);
  return bundle.some((ca) => {
    const authority = new X509Certificate(ca);
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  });
}

/** Returns every state of these years with its time. */
function history(years: number): { readonly at: number; readonly state: CertificateState }[] {
  let state = advanceCertificates(undefined, context(start));
  const states = [{ at: start, state }];
  for (let now = start; now < start + years * 365 * dayMs; ) {
    now += nextCheckMs(state, context(now), 20 * dayMs);
    const next = advanceCertificates(state, context(now));
    if (next !== state) {
      states.push({ at: now, state: next });
      state = next;
    }
  }
  return states;
}

describe("self-made certificates", () => {
  test("CA20: a P-256 authority for 10 years and a server for a year, valid from an hour ago", () => {
    const state = advanceCertificates(undefined, context(start));
    const ca = new X509Certificate(state.bundle[0] ?? "");
    const server = new X509Certificate(state.cert);
    expect([ca.ca, ca.publicKey.asymmetricKeyDetails?.namedCurve]).toEqual([true, "prime256v1"]);
    expect([endOf(ca) - start, endOf(server) - start]).toEqual([3_650 * dayMs, 365 * dayMs]);
    expect(Date.parse(server.validFrom)).toBe(start - hourMs);
    expect(server.subjectAltName).toBe(hosts.map((host) => `DNS:${host}`).join(", "));
    expect(isTrusted(state, state)).toBe(true);
  });

  test("CA20: the Secret has the type kubernetes.io/tls and the authority, and reads back", () => {
    const state = advanceCertificates(undefined, context(start));
    const secret = certificateSecret({ name: "certs", namespace: "prod" }, state);
    expect([secret.type, Object.keys(secret.data ?? {})]).toEqual([
      "kubernetes.io/tls",
      ["tls.crt", "tls.key", "ca.crt", "ca.key"],
    ]);
    expect(certificatesIn(secret)).toEqual(state);
    const other = advanceCertificates(undefined, context(start));
    const mixed = certificateSecret({ name: "x", namespace: "y" }, { ...state, cert: other.cert });
    expect(() => certificatesIn(mixed)).toThrow();
  });

  test("CA21: nothing is due while enough life remains", () => {
    const state = advanceCertificates(undefined, context(start));
    for (const days of [0, 100, 240]) {
      expect(advanceCertificates(state, context(start + days * dayMs))).toBe(state);
    }
  });

  test("CA21: a server certificate is renewed in its last third, and when a name is missing", () => {
    const state = advanceCertificates(undefined, context(start));
    const renewed = advanceCertificates(state, context(start + 245 * dayMs));
    expect(renewed.cert).not.toBe(state.cert);
    expect([renewed.bundle, renewed.issuerKey]).toEqual([state.bundle, state.issuerKey]);
    const extended = advanceCertificates(state, { ...context(start), hosts: ["127.0.0.1", "::1"] });
    const certificate = new X509Certificate(extended.cert);
    expect([certificate.checkIP("127.0.0.1"), certificate.checkIP("::1")]).toEqual([
      "127.0.0.1",
      "::1",
    ]);
    // Replicas with other names do not take turns.
    expect(advanceCertificates(extended, context(start))).toBe(extended);
  });

  test("CA23: the bundle has both authorities first, then the new one signs, then the old one leaves", () => {
    const state = advanceCertificates(undefined, context(start));
    let now = start + 3_561 * dayMs;
    const announced = advanceCertificates(state, context(now));
    expect(announced.bundle).toEqual([state.bundle[0], expect.any(String)]);
    expect(isTrusted(state, announced)).toBe(true);
    now += hourMs;
    expect(advanceCertificates(announced, context(now - 1))).toBe(announced);
    // An API server that does not have the new bundle yet must not meet the new certificate.
    expect(advanceCertificates(announced, context(now + dayMs, false))).toBe(announced);
    const switched = advanceCertificates(announced, context(now));
    expect([switched.bundle, switched.nextKey]).toEqual([announced.bundle, undefined]);
    expect([isTrusted(state, switched), isTrusted(announced, switched)]).toEqual([false, true]);
    expect(advanceCertificates(switched, context(now + hourMs - 1))).toBe(switched);
    const done = advanceCertificates(switched, context(now + hourMs));
    expect(done.bundle).toEqual([announced.bundle[1]]);
    expect([isTrusted(done, switched), isTrusted(done, state)]).toEqual([true, false]);
  });

  test("CA21, CA23: over 21 years every certificate is trusted by servers and replicas an hour behind", () => {
    const states = history(21);
    let authorities = 0;
    for (const [index, { at, state }] of states.entries()) {
      const before = states[index - 1];
      expect(expiryProblem(state.cert, at)).toBeUndefined();
      expect(isTrusted(state, state)).toBe(true);
      if (before !== undefined) {
        expect(expiryProblem(before.state.cert, at)).toBeUndefined();
        expect([isTrusted(before.state, state), isTrusted(state, before.state)]).toEqual([
          true,
          true,
        ]);
        if (state.bundle.length !== before.state.bundle.length) {
          authorities += 1;
        }
        const isPhase = before.state.bundle.length > 1;
        expect(!isPhase || at - before.at >= hourMs).toBe(true);
      }
    }
    // Each replacement changes the bundle twice.
    expect(authorities).toBe(4);
  });

  test("CA19: a certificate is a problem from 24 hours before its end", () => {
    const { cert } = advanceCertificates(undefined, context(start));
    const end = endOf(new X509Certificate(cert));
    expect(expiryProblem(cert, end - dayMs)).toBeUndefined();
    expect(expiryProblem(cert, end - dayMs + 1)).toContain("valid only until");
  });
});
