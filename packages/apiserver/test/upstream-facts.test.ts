import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInResources } from "@typekube/api/resources";
import { describe, expect, test } from "vitest";
import { tableColumns } from "../src/generated/table-columns.js";
import { strategies } from "../src/kinds/strategies.js";
import { withDefaults } from "../src/phases/default/default-object.js";
import { canonicalStruct } from "../src/phases/default/fill-defaults.js";
import { createSchemaSource } from "../src/resources/schema-source.js";
import { groupResourceOf, servedResource } from "../src/resources/served-resource.js";
import { columnsOf } from "../src/response/table/columns-of.js";
import type { SchemaNode, StructNode } from "../src/schema/schema-node.js";
import { healthPaths } from "../src/server/discovery/health.js";

type Json = Readonly<Record<string, unknown>>;

function facts<T>(file: string): readonly T[] {
  const path = join(import.meta.dirname, "../../codegen/facts", file);
  return JSON.parse(readFileSync(path, "utf8")) as T[];
}

interface TypeDefaults {
  readonly type: string;
  readonly always: Json;
  readonly depends?: Readonly<Record<string, readonly unknown[]>>;
}

const typeDefaults = new Map(
  facts<TypeDefaults>("type-defaults.json").map((row) => [row.type, row]),
);
const isEmptyStruct = (value: unknown) => JSON.stringify(value) === "{}";
const schemas = createSchemaSource();

/** Yields each struct type of a schema once. */
function* structsIn(node: SchemaNode | undefined, seen: Set<SchemaNode>): Generator<StructNode> {
  if (node?.form === "list" || node?.form === "map") {
    yield* structsIn(node.form === "list" ? node.items : node.values, seen);
  }
  if (node?.form !== "struct" || seen.has(node)) {
    return;
  }
  seen.add(node);
  yield node;
  for (const name of node.fieldNames) {
    yield* structsIn(node.field(name)?.node, seen);
  }
}

describe("defaults of upstream", () => {
  test("each type gets the defaults that kube-apiserver fills in, and no others", async () => {
    const seen = new Set<SchemaNode>();
    const checked = new Set<string>();
    const wrong: string[] = [];
    for (const descriptor of builtInResources) {
      for (const node of structsIn(await schemas({ descriptor, defined: undefined }), seen)) {
        const type = `${node.packageName}.${node.typeName}`;
        const { always = {}, depends = {} } = typeDefaults.get(type) ?? {};
        const filled = canonicalStruct({}, node);
        for (const name of new Set([...Object.keys(filled), ...Object.keys(always)])) {
          const expected = Object.hasOwn(always, name) ? [always[name]] : (depends[name] ?? []);
          // Go's structs always exist: here `{}` stands for one that has defaults, given or not.
          const isExpected =
            expected.some(isEmptyStruct) ||
            expected.some((one) => JSON.stringify(one) === JSON.stringify(filled[name])) ||
            (expected.length === 0 && filled[name] === undefined);
          if (!isExpected) {
            wrong.push(
              `${type}.${name}: ${JSON.stringify(filled[name])}, upstream ${JSON.stringify(expected)}`,
            );
          }
        }
        checked.add(type);
      }
    }
    expect(wrong).toEqual([]);
    expect([...typeDefaults.keys()].filter((type) => checked.has(type)).length).toBeGreaterThan(60);
  });

  test("an empty object of each kind gets the same defaults", async () => {
    const wrong: string[] = [];
    for (const { apiVersion, kind, object } of facts<DefaultedObject>("defaulted-objects.json")) {
      const descriptor = builtInResources.find(
        (one) => one.apiVersion === apiVersion && one.kind === kind,
      );
      if (descriptor !== undefined) {
        const schema = await schemas({ descriptor, defined: undefined });
        const given = { apiVersion, kind, metadata: {} };
        const { metadata: _, ...filled } = withDefaults(
          servedResource(descriptor, false, strategies.get(groupResourceOf(descriptor))),
          given,
          schema,
        );
        wrong.push(
          ...differences(`${apiVersion} ${kind}`, filled, { apiVersion, kind, ...object }),
        );
      }
    }
    expect(wrong).toEqual([
      // Upstream fills it in when it converts the object to autoscaling/v2.
      "autoscaling/v1 HorizontalPodAutoscaler.spec.targetCPUUtilizationPercentage: 80, upstream undefined",
      // Defaults don't know the time.
      ...["v1", "v1alpha3", "v1beta2"].map(
        (version) =>
          `resource.k8s.io/${version} DeviceTaintRule.spec.taint.timeAdded: undefined, upstream "$now"`,
      ),
    ]);
  });
});

interface DefaultedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Json;
}

/** Yields the fields that differ. Upstream also writes zero values of required fields, and structs that are missing here. */
function* differences(path: string, filled: unknown, upstream: unknown): Generator<string> {
  if (typeof filled === "object" && filled !== null && !Array.isArray(filled)) {
    const [own, other] = [filled as Json, (upstream ?? {}) as Json];
    for (const key of new Set([...Object.keys(own), ...Object.keys(other)])) {
      const isZero = [null, "", 0].includes(other[key] as null) || typeof other[key] === "object";
      if (own[key] !== undefined || !isZero) {
        yield* differences(`${path}.${key}`, own[key], other[key]);
      }
    }
  } else if (JSON.stringify(filled) !== JSON.stringify(upstream)) {
    yield `${path}: ${JSON.stringify(filled)}, upstream ${JSON.stringify(upstream)}`;
  }
}

describe("tables of upstream", () => {
  test("TAB1: each resource has the columns of kube-apiserver", () => {
    const upstream = new Map<string, readonly { readonly name: string }[]>(
      Object.entries(tableColumns),
    );
    const others: string[] = [];
    for (const descriptor of builtInResources) {
      const resource = servedResource(
        descriptor,
        false,
        strategies.get(groupResourceOf(descriptor)),
      );
      const names = columnsOf(resource).map(({ name }) => name);
      const expected = upstream.get(resource.groupResource) ?? tableColumns["*"];
      if (names.join() !== expected.map(({ name }) => name).join()) {
        others.push(resource.groupResource);
      }
    }
    expect(others).toEqual([
      "resourcepoolstatusrequests.resource.k8s.io",
      "storageversions.internal.apiserver.k8s.io",
      "evictionrequests.lifecycle.k8s.io",
      "evictions.lifecycle.k8s.io",
    ]);
  });
});

describe("health checks of upstream", () => {
  test("HLT6: each check has a name that kube-apiserver uses", () => {
    const known = new Set(facts<{ name: string }>("health-checks.json").map(({ name }) => name));
    const names = healthPaths.flatMap((path) => path.split("/").slice(2).join("/") || []);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});
