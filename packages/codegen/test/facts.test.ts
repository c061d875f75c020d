import { join } from "node:path";
import { expect, test } from "vitest";
import { assertKnownRule } from "../src/declared-rules.js";
import { fieldComment, referenceLink } from "../src/doc-comments.js";
import { readFacts } from "../src/facts.js";
import { flatten } from "../src/interfaces.js";

const facts = readFacts(join(import.meta.dirname, "../facts"));

test("facts name the Kubernetes release", () => {
  expect(facts.release).toBe("1.37.1");
});

test("each group-version belongs to one package", () => {
  const named = facts.packages.filter((p) => p.apiVersion !== "");
  expect(new Set(named.map((p) => p.apiVersion)).size).toBe(named.length);
});

test("removed kinds keep their release dates", () => {
  const find = (apiVersion: string, kind: string) =>
    facts.lifecycles.find((row) => row.apiVersion === apiVersion && row.kind === kind);
  expect(find("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema")).toMatchObject({
    introduced: "1.26",
    deprecated: "1.29",
    removed: "1.32",
    replacedBy: { apiVersion: "flowcontrol.apiserver.k8s.io/v1", kind: "FlowSchema" },
  });
  expect(find("apps/v1beta1", "Deployment")).toMatchObject({ removed: "1.16" });
});

test("resources link to their sections of the upstream reference", () => {
  const link = (kind: string): string | undefined => {
    const found = facts.resources.find((row) => row.kind === kind);
    return found && referenceLink(facts.release, found).replace(/.*#/, "");
  };
  expect(link("Pod")).toBe("pod-v1-core");
  expect(link("Deployment")).toBe("deployment-v1-apps");
  expect(link("ClusterRole")).toBe("clusterrole-v1-rbac-authorization-k8s-io");
});

test("a type has the fields of the structs it inlines, each once", () => {
  const probe = facts.types.get("core/v1.Probe");
  const names = probe && flatten(facts, probe).map((field) => field.name);
  expect(names?.slice(0, 4)).toEqual(["exec", "httpGet", "tcpSocket", "grpc"]);
  for (const p of facts.packages) {
    for (const type of p.types) {
      const all = flatten(facts, type).map((field) => field.name);
      expect(new Set(all).size, `${p.name}.${type.name}`).toBe(all.length);
    }
  }
});

test.each([
  "required",
  'beta(since: "1.37")=eachKey=format=k8s-short-name',
  'beta(since: "1.37")=item(type: "Approved")=zeroOrOneOfMember',
  "maximum=1000000000 # HighestUserDefinablePriority",
])("VAL27: accepts the known validation rule %s", (rule) => {
  expect(() => assertKnownRule(rule, "f")).not.toThrow();
});

test.each(["shiny", 'beta(since: "1.39")=shiny=5', "eachVal=shiny", ""])(
  "VAL27: rejects the unknown rule %j",
  (rule) => {
    const message = `the rule "${rule}" of the field f is not known`;
    expect(() => assertKnownRule(rule, "f")).toThrow(message);
  },
);

test("DEP10: deprecated fields stay, each with the @deprecated tag", () => {
  const fields = facts.packages.flatMap(({ types }) => types.flatMap((type) => type.fields ?? []));
  const deprecated = fields.filter((field) => field.deprecated === true);
  expect(deprecated.length).toBeGreaterThan(40);
  for (const field of deprecated) {
    expect(fieldComment(field), field.name).toContain("@deprecated");
  }
});
