import { check, kindCoverage } from "@typekube/apiserver/check";
import { expect, test } from "vitest";
import { runCheck } from "./run-check.js";

const explained = (...args: readonly string[]) => runCheck(".", ["--explain-coverage", ...args]);

test("MC27 [+]: --explain-coverage lists the kinds whose rules in code are not checked, from the rules themselves", async () => {
  const kinds = await kindCoverage();
  const of = (kind: string) => kinds.find((one) => one.kind === kind);
  expect(of("Deployment")).toMatchObject({ apiVersion: "apps/v1", hasCode: true });
  expect(of("CertificateSigningRequest")).toMatchObject({ hasCode: false });
  const { code, out } = await explained();
  expect(code).toBe(0);
  const [, without = ""] = out.split("has in code.");
  for (const { apiVersion, kind, hasCode, fieldsInCode } of kinds) {
    expect(without.includes(`  ${apiVersion} ${kind}: `), kind).toBe(!hasCode);
    if (!hasCode) {
      expect(without).toContain(fieldsInCode.join(", "));
    }
  }
  expect(kinds.some(({ hasCode, fieldsInCode }) => !hasCode && fieldsInCode.length > 0)).toBe(true);
});

test("MC27 [+], MC40: a kind without rules in code is accepted as its schema says, without warnings about this server", async () => {
  // kube-apiserver parses the request.
  const { findings } = await check({
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: "a" },
    spec: { request: "bm90IGEgcmVxdWVzdA==", signerName: "example.com/a", usages: ["client auth"] },
  });
  expect(findings).toEqual([]);
});

test("MC27 [+]: the releases are those of --version", async () => {
  const { out } = await explained("--version", "1.33");
  expect(out).toContain("Kubernetes 1.33: what is not checked");
  expect(out).not.toContain("networking.k8s.io/v1 Ingress: ");
  await expect(kindCoverage("1.20")).rejects.toThrow(/1\.20/);
});
