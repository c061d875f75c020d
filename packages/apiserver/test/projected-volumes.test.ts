import { call, type Json, pods } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

async function refusalsOf(volume: Json, spec: Json = {}): Promise<[string, string][]> {
  await using api = await startApiServer();
  const { body } = await call(api, "POST", pods, {
    metadata: { name: "p" },
    spec: {
      ...spec,
      containers: [{ name: "c", image: "i" }],
      volumes: [{ name: "v", ...volume }],
    },
  });
  return (body.details?.causes ?? []).map(({ field, message }: Json) => [field, message]);
}

const projected = (...sources: Json[]) => ({ projected: { sources } });
const files = (name: string, ...paths: string[]) => ({
  name,
  items: paths.map((path, at) => ({ key: `k${at}`, path })),
});
const field = "spec.volumes[0].projected";

describe("projected volumes", () => {
  test("paths must be unique, except that of a token", async () => {
    expect(
      await refusalsOf(
        projected(
          { configMap: files("a", "x") },
          { secret: files("b", "x") },
          { secret: files("b", "y") },
        ),
      ),
    ).toEqual([[field, 'Invalid value: "b": conflicting duplicate paths']]);
    expect(
      await refusalsOf(
        projected({ configMap: files("a", "x") }, { serviceAccountToken: { path: "x" } }),
      ),
    ).toEqual([]);
  });

  test("each source has one type, and its paths stay inside the volume", async () => {
    expect(
      await refusalsOf(
        projected(
          { configMap: files("", "..x"), secret: files("b", "/y") },
          { serviceAccountToken: { path: "../t", expirationSeconds: 5 } },
          { clusterTrustBundle: { path: "t" } },
          { podCertificate: { signerName: "bad", keyType: "ED25519" } },
        ),
      ),
    ).toEqual([
      [`${field}.sources[0].secret.items[0].path`, 'Invalid value: "/y": must be a relative path'],
      [`${field}.sources[0].configMap.name`, "Required value"],
      [
        `${field}.sources[0].configMap.items[0].path`,
        "Invalid value: \"..x\": must not start with '..'",
      ],
      [`${field}.sources[0]`, "Forbidden: may not specify more than 1 volume type per source"],
      [
        `${field}.sources[1].serviceAccountToken.expirationSeconds`,
        "Invalid value: 5: may not specify a duration less than 10 minutes",
      ],
      [`${field}.path`, "Invalid value: \"../t\": must not contain '..'"],
      [
        `${field}.sources[2].clusterTrustBundle`,
        "Required value: either name or signerName must be specified",
      ],
      [
        `${field}.sources[3].podCertificate.signerName`,
        "Invalid value: \"bad\": must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ],
      [
        `${field}.sources[3].podCertificate`,
        "Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath",
      ],
    ]);
  });

  test("validates pod fields as files", async () => {
    const item = (one: Json) => ({ downwardAPI: { items: [{ path: "x", ...one }] } });
    const at = "spec.volumes[0].downwardAPI";
    const field = (fieldPath: string) => refusalsOf(item({ fieldRef: { fieldPath } }));
    const amount = (resource: string, divisor: string) =>
      refusalsOf(item({ resourceFieldRef: { containerName: "c", resource, divisor } }));
    expect(await field("metadata.labels['a']")).toEqual([]);
    expect(await field("metadata.name['a']")).toEqual([
      [
        `${at}.fieldRef.fieldPath`,
        "Invalid value: \"metadata.name['a']\": error converting fieldPath: field label does not support subscript: metadata.name['a']",
      ],
    ]);
    expect((await field("spec.nodeName"))[0]?.[1]).toMatch(/^Unsupported value: "spec.nodeName"/);
    expect(await amount("limits.cpu", "1m")).toEqual([]);
    expect(await amount("limits.memory", "1m")).toEqual([
      [
        `${at}.resourceFieldRef.divisor`,
        'Invalid value: "limits.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
      ],
    ]);
    expect(await refusalsOf(item({}))).toEqual([
      [at, "Required value: one of fieldRef and resourceFieldRef is required"],
    ]);
  });
});
