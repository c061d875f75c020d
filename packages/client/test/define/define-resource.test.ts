import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { assert, describe, expectTypeOf, test } from "vitest";
import { type CustomDescriptor, defineResource } from "../../src/index.js";

interface Widget extends KubeObject {
  spec: { size: number };
  status?: { ready?: boolean };
}

describe("defineResource", () => {
  test("derives the names, the scope and the verbs", () => {
    const Widget = defineResource<Widget>({ group: "example.com", version: "v1", kind: "Widget" });
    expectTypeOf(Widget).toEqualTypeOf<CustomDescriptor<Widget, "Namespaced">>();
    expectTypeOf<keyof (typeof Widget)["subresources"]>().toEqualTypeOf<"scale" | "status">();
    assert.deepEqual(Widget, {
      group: "example.com",
      version: "v1",
      apiVersion: "example.com/v1",
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      shortNames: [],
      categories: [],
      scope: "Namespaced",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      subresources: {
        status: { apiVersion: "example.com/v1", kind: "Widget", verbs: ["get", "patch", "update"] },
        scale: { apiVersion: "autoscaling/v1", kind: "Scale", verbs: ["get", "patch", "update"] },
      },
      protobuf: false,
    });
  });

  test("takes the scope and every name", () => {
    const Leaf = defineResource<Widget>({
      group: "example.com",
      version: "v1beta1",
      kind: "Leaf",
      scope: "Cluster",
      plural: "leaves",
      singular: "oneleaf",
      listKind: "Leaves",
      shortNames: ["lf"],
      categories: ["all"],
    });
    expectTypeOf(Leaf).toEqualTypeOf<CustomDescriptor<Widget, "Cluster">>();
    const { scope, plural, singular, listKind, shortNames, categories } = Leaf;
    assert.deepEqual(
      { scope, plural, singular, listKind, shortNames, categories },
      {
        scope: "Cluster",
        plural: "leaves",
        singular: "oneleaf",
        listKind: "Leaves",
        shortNames: ["lf"],
        categories: ["all"],
      },
    );
  });

  test.each([
    ["Policy", "policies"],
    ["Gateway", "gateways"],
    ["Bus", "buses"],
    ["Sandbox", "sandboxes"],
    ["Class", "classes"],
    ["Index", "indexes"],
    ["Branch", "branches"],
    ["Mesh", "meshes"],
    ["Fish", "fish"],
    ["Data", "data"],
    ["ReleaseMetadata", "releasemetadata"],
    ["Widget", "widgets"],
    ["Diff", "diffs"],
    ["Status", "statuses"],
  ])("ZD3: the plural of %s is %s", (kind, plural) => {
    const named = defineResource({ group: "example.com", version: "v1", kind });
    assert.equal(named.plural, plural);
  });

  test.each(["Leaf", "Chassis", "Knife", "Quiz", "Person"])(
    "ZD3: the plural of %s must be given",
    (kind) => {
      const define = () => defineResource({ group: "example.com", version: "v1", kind });
      assert.throws(
        define,
        KubeError,
        `[InvalidArgument] the plural of the kind ${kind} is not known: give it: plural: "..."`,
      );
    },
  );

  test("refuses unknown options and unfit names", () => {
    const names = { group: "example.com", version: "v1", kind: "Widget" };
    assert.throws(
      () => defineResource({ ...names, plurals: "x" } as never),
      'defineResource() has no option "plurals"',
    );
    assert.throws(
      () => defineResource({ ...names, plural: "a/b" }),
      "plural: must be letters, digits, dots and dashes",
    );
    assert.throws(
      () => defineResource({ ...names, group: "a/b" }),
      "defineResource() needs group: for example",
    );
    assert.throws(
      () => defineResource({ ...names, scope: "Namespace" as never }),
      "scope: must be Cluster or Namespaced",
    );
  });
});
