import { check } from "@typekube/apiserver/check";
import { describe, expect, test } from "vitest";
import { configMap, linesOf, widget, widgets } from "./lines-of.js";

const named = (apiVersion: string, kind: string, more = "") =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: prod}\n${more}`;

describe("kinds", () => {
  test("MC11: other releases are errors, and older ones are named in the notes", async () => {
    await expect(check(configMap("a"), { version: "1.20" })).rejects.toThrow(/version/);
    const { notes, versions } = await check(configMap("a"), { version: "1.34" });
    expect(versions).toEqual(["1.34"]);
    expect(notes).toEqual([
      "Kubernetes 1.34: checked with the schemas of 1.37 and the kinds of the release",
    ]);
  });

  test("MC13 [+]: definitions of the input are used whatever the order, and those of crds", async () => {
    const small = widget("{size: 1}");
    expect(
      await linesOf([
        { name: "a", text: small },
        { name: "b", text: widgets },
      ]),
    ).toEqual([]);
    expect(await linesOf(small, { crds: widgets })).toEqual([]);
    expect(await linesOf(small)).toEqual(["2:7 unknown-kind: unknown kind example.com/v1 Widget"]);
  });

  test("MC14: an unknown kind is an error with the nearest kinds, unless its group is allowed", async () => {
    const { findings } = await check(named("apps/v1", "Deploymnet"));
    expect(findings).toMatchObject([
      { rule: "unknown-kind", hint: "did you mean Deployment?", location: { line: 2, column: 7 } },
    ]);
    const other = named("shop.example.com/v1", "Order");
    const { summary, valid } = await check(other, { allowUnknown: ["*.example.com"] });
    expect([valid, summary.skipped]).toEqual([true, 1]);
    expect(
      (await check(named("apps/v1", "Deploymnet"), { allowUnknown: ["*.example.com"] })).valid,
    ).toBe(false);
  });

  test("MC15: an unknown version or a wrong group names those that have the kind", async () => {
    const hints = async (text: string) =>
      (await check(text)).findings.map(({ rule, hint }) => `${rule}: ${hint}`);
    expect(await hints(named("apps/v7", "Deployment"))).toEqual(["unknown-version: use apps/v1"]);
    expect(await hints(named("apps/", "Deployment"))).toEqual([
      "unknown-version: write VERSION or GROUP/VERSION",
    ]);
    expect(await hints(named("batch/v1", "Deployment"))).toEqual(["unknown-version: use apps/v1"]);
  });

  test("MC16: a version that its definition does not serve is an error", async () => {
    const text = widget("{size: 1}", "example.com/v1alpha1");
    expect(await linesOf(text, { crds: widgets })).toEqual([
      "1:13 not-served: example.com/v1alpha1 of Widget is not served: its definition has served: false",
    ]);
  });

  test("MC17: definitions are checked as a server does, with their expressions", async () => {
    const broken = widgets.replace('"self.size < 10"', '"self.sice < 10"');
    const [finding] = (await check(broken)).findings;
    expect(finding).toMatchObject({ rule: "definition-invalid", location: { line: 19 } });
  });

  test("MC18 [+]: one run checks several releases, and findings list those they hold for", async () => {
    const text = named("autoscaling/v2beta2", "HorizontalPodAutoscaler");
    const policy = named("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy").replace(
      ", namespace: prod",
      "",
    );
    const { findings } = await check(
      [
        { name: "a", text },
        { name: "b", text: policy },
      ],
      { version: ["1.33", "1.37"] },
    );
    expect(findings.slice(0, 3).map(({ rule, versions }) => [rule, versions])).toEqual([
      ["removed-api", ["1.33", "1.37"]],
      ["unknown-version", ["1.33"]],
      ["field-required", ["1.37"]],
    ]);
  });

  test("MC33: a deprecated kind is a warning with its replacement; MC35: annotations do not count", async () => {
    const endpoints = named("v1", "Endpoints");
    const { findings, valid } = await check(endpoints);
    expect(valid).toBe(true);
    expect(findings).toMatchObject([{ rule: "deprecated-api", severity: "warning" }]);
    const text = configMap("a", '  annotations: {last: "apiVersion: autoscaling/v2beta2"}\n');
    expect(await linesOf(text)).toEqual([]);
  });

  test("MC34: a removed kind is an error with its replacement and what changes", async () => {
    const { findings } = await check(named("extensions/v1beta1", "Ingress"));
    expect(findings).toMatchObject([
      {
        rule: "removed-api",
        message: "extensions/v1beta1 Ingress is gone since Kubernetes 1.22",
        location: { line: 1, column: 13 },
      },
    ]);
    expect(findings[0]?.hint).toMatch(
      /^use networking\.k8s\.io\/v1 Ingress; .*pathType is required/,
    );
  });

  test("MC36 [+]: versions that a definition deprecates are warnings", async () => {
    const crds = widgets.replace(
      "    storage: true\n",
      "    storage: true\n    deprecated: true\n",
    );
    expect(await linesOf(widget("{size: 1}"), { crds })).toEqual([
      "1:13 deprecated-api: example.com/v1 Widget is deprecated",
    ]);
  });
});
