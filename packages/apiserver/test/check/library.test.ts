import { startApiServer } from "@typekube/apiserver";
import { check } from "@typekube/apiserver/check";
import { addManifestMatcher } from "@typekube/apiserver/vitest";
import { KubeError } from "@typekube/core";
import { expect, test } from "vitest";
import { configMap, widget, widgets } from "./lines-of.js";

addManifestMatcher();

test("MC80 [+], VR19 [+]: applyAll refuses before its first request, with one error that has all findings", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const text = `${configMap("a", "dta: {}\n")}---\n${configMap("b")}---\n${configMap("B_")}`;
  const before = api.requests.length;
  const error = await client.applyAll(text, { check }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KubeError);
  expect(error).toMatchObject({ code: "InvalidArgument" });
  expect((error as KubeError).message).toMatch(
    /2 errors: line 6, column 1: unknown-field: unknown field "dta"; line 17, column 9: field-invalid: metadata\.name/,
  );
  expect((error as KubeError).cause).toMatchObject({ valid: false, summary: { invalid: 2 } });
  expect(api.requests.length).toBe(before);
  await client.applyAll(configMap("b").replace("prod", "default"), {
    check: (manifests) => check(manifests, { version: "1.36" }),
  });
  expect(api.requests.length).toBeGreaterThan(before);
});

test("VR19 [+]: the causes are those of the server's 422", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  await client.applyAll(widgets);
  const object = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w", namespace: "default" },
    spec: { size: 11, port: true },
  };
  const error = await client
    .apply(object, { fieldManager: "test" })
    .catch((reason: unknown) => reason);
  const causes = (error as KubeError).status?.details?.causes ?? [];
  const { findings } = await check(object, { crds: widgets });
  expect(causes.length).toBeGreaterThan(0);
  expect(findings.map(({ field, reason, message }) => ({ field, reason, message }))).toEqual(
    causes.map(({ field, reason, message }) => ({
      // Servers write a missing path as Go does.
      field: field === "<nil>" ? undefined : field,
      reason,
      message: field === "<nil>" ? message : `${field}: ${message}`,
    })),
  );
});

test("MC81 [+]: toBeValidManifest passes, and fails with the text of the findings", async () => {
  await expect(configMap("a")).toBeValidManifest({ version: "1.37" });
  await expect({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "A_" },
  }).not.toBeValidManifest();
  await expect(widget("{size: 1}")).toBeValidManifest({ crds: widgets });
  await expect(async () => expect(configMap("a", "dta: {}\n")).toBeValidManifest()).rejects.toThrow(
    /text:6:1 error unknown-field unknown field "dta"[\s\S]*\^\^\^/,
  );
  await expect(async () => expect(configMap("a")).not.toBeValidManifest()).rejects.toThrow(
    /reject/,
  );
});
