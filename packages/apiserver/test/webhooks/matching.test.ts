import { builtInResources } from "@typekube/api/resources";
import { describe, expect, test } from "vitest";
import type { AdmissionAttributes } from "../../src/admission/attributes.js";
import { findMatch } from "../../src/admission/matching/find-match.js";
import { isExempt } from "../../src/admission/matching/is-exempt.js";
import { kindOf } from "../../src/admission/matching/kind-of.js";
import { matchesRule } from "../../src/admission/matching/matches-rule.js";
import { strategies } from "../../src/kinds/strategies.js";
import { createRegistry } from "../../src/resources/resource-registry.js";

const registry = createRegistry({
  builtIn: builtInResources,
  strategyOf: (name) => strategies.get(name),
});

/** Returns the attributes of a request for `GROUP/VERSION/PLURAL[/SUBRESOURCE]`. */
function requested(path: string, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const [group = "", version = "", plural = "", subresource = ""] = path.split("/");
  const resource = registry.find(group, version, plural);
  if (resource === undefined) {
    throw new Error(`no resource ${path}`);
  }
  return {
    operation: "CREATE",
    resource,
    subresource,
    kind: kindOf(resource, subresource),
    name: "a",
    namespace: resource.namespaced ? "default" : "",
    object: {},
    oldObject: undefined,
    options: undefined,
    user: undefined,
    dryRun: false,
    ...more,
  };
}

const every = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"] };

describe("rules of webhooks and policies", () => {
  test.each([
    [["*"], "/v1/pods", true],
    [["*"], "/v1/pods/exec", false],
    [["*/*"], "/v1/pods/exec", true],
    [["*/*"], "/v1/pods", true],
    [["pods"], "/v1/pods", true],
    [["pods"], "/v1/pods/status", false],
    [["pods/*"], "/v1/pods", true],
    [["pods/*"], "/v1/pods/status", true],
    [["pods/*"], "/v1/nodes/status", false],
    [["*/scale"], "apps/v1/deployments/scale", true],
    [["*/scale"], "apps/v1/deployments", false],
    [["pods/exec", "pods/attach"], "/v1/pods/attach", true],
  ])("VA9: %j covers %s: %s", (resources, path, expected) => {
    expect(matchesRule({ ...every, resources }, requested(path))).toBe(expected);
  });

  test.each([
    ["Namespaced", "/v1/pods", "default", true],
    ["Namespaced", "/v1/nodes", "", false],
    ["Namespaced", "/v1/namespaces", "default", false],
    ["Cluster", "/v1/namespaces", "default", true],
    ["Cluster", "/v1/nodes", "", true],
    ["Cluster", "/v1/pods", "default", false],
    ["*", "/v1/pods", "default", true],
    [undefined, "/v1/nodes", "", true],
  ])("VA9: the scope %s covers %s in %j: %s", (scope, path, namespace, expected) => {
    const rule = { ...every, resources: ["*"], ...(scope === undefined ? {} : { scope }) };
    expect(matchesRule(rule, requested(path, { namespace }))).toBe(expected);
  });

  test("VA9: resourceNames restrict a rule to these names", () => {
    const rule = { ...every, resources: ["pods"], resourceNames: ["a", "b"] };
    expect(matchesRule(rule, requested("/v1/pods"))).toBe(true);
    expect(matchesRule(rule, requested("/v1/pods", { name: "c" }))).toBe(false);
    expect(matchesRule(rule, requested("/v1/pods", { name: "" }))).toBe(false);
  });

  test("VA9: excluded rules win, and a policy without rules matches everything", () => {
    const rules = [{ ...every, resources: ["*"] }];
    const pods = requested("/v1/pods");
    const excluded = [{ ...every, resources: ["pods"] }];
    expect(findMatch({ rules, excluded, matchPolicy: "Exact" }, pods, registry)).toBeUndefined();
    const match = findMatch({ rules: undefined, matchPolicy: "Exact" }, pods, registry);
    expect(match).toEqual({ resource: pods.resource, kind: pods.kind });
    expect(findMatch({ rules: [], matchPolicy: "Equivalent" }, pods, registry)).toBeUndefined();
  });

  test("VA9: equivalent resources are the other versions and groups of the same objects", () => {
    const rule = (apiGroup: string, apiVersion: string, resource: string) => ({
      rules: [
        {
          operations: ["*"],
          apiGroups: [apiGroup],
          apiVersions: [apiVersion],
          resources: [resource],
        },
      ],
      matchPolicy: "Equivalent" as const,
    });
    const event = findMatch(
      rule("events.k8s.io", "v1", "events"),
      requested("/v1/events"),
      registry,
    );
    expect(event?.kind).toEqual({ group: "events.k8s.io", version: "v1", kind: "Event" });
    const scaler = requested("autoscaling/v1/horizontalpodautoscalers");
    const match = findMatch(
      rule("autoscaling", "v2", "horizontalpodautoscalers"),
      scaler,
      registry,
    );
    expect(match?.resource.version).toBe("v2");
    const exact = {
      ...rule("autoscaling", "v2", "horizontalpodautoscalers"),
      matchPolicy: "Exact",
    };
    expect(findMatch({ ...exact, matchPolicy: "Exact" }, scaler, registry)).toBeUndefined();
  });

  test("VA9: the kind of a subresource is its own", () => {
    const { kind } = requested("apps/v1/deployments/scale");
    expect(kind).toEqual({ group: "autoscaling", version: "v1", kind: "Scale" });
  });

  test("VA9: only the configuration of admission itself is exempt", () => {
    const group = "admissionregistration.k8s.io/v1";
    expect(isExempt(requested(`${group}/validatingwebhookconfigurations`))).toBe(true);
    expect(isExempt(requested(`${group}/validatingadmissionpolicybindings`))).toBe(true);
    expect(isExempt(requested("/v1/configmaps"))).toBe(false);
  });
});
