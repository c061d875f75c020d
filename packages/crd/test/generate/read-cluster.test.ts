import { startApiServer } from "@typekube/apiserver";
import { expect, test } from "vitest";
import { generate, readCluster } from "../../src/generate/index.js";
import { kindOfDocument } from "../../src/generate/source/kind-of-document.js";
import { compile } from "./compile.js";

const component = "io.k8s.metrics.pkg.apis.metrics.v1beta1.";
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The document of an aggregated API, as its server writes it: references in `allOf`, and a schema in itself. */
const document = {
  components: {
    schemas: {
      [`${component}PodMetrics`]: {
        type: "object",
        description: "Usage of a pod.",
        required: ["timestamp", "window", "containers"],
        properties: {
          apiVersion: { type: "string" },
          kind: { type: "string" },
          metadata: { allOf: [refTo(`${meta}ObjectMeta`)], default: {} },
          timestamp: refTo(`${meta}Time`),
          window: refTo(`${meta}Duration`),
          selector: { allOf: [refTo(`${meta}LabelSelector`)], description: "Which pods." },
          containers: {
            type: "array",
            items: { allOf: [refTo(`${component}ContainerMetrics`)], default: {} },
          },
        },
        "x-kubernetes-group-version-kind": [
          { group: "metrics.k8s.io", version: "v1beta1", kind: "PodMetrics" },
        ],
      },
      [`${component}ContainerMetrics`]: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", default: "" },
          usage: {
            type: "object",
            additionalProperties: refTo("io.k8s.apimachinery.pkg.api.resource.Quantity"),
          },
          children: { type: "array", items: refTo(`${component}ContainerMetrics`) },
          raw: refTo("io.k8s.apimachinery.pkg.runtime.RawExtension"),
          either: { oneOf: [{ type: "string" }, { type: "number" }] },
        },
      },
      [`${meta}Time`]: { type: "string", format: "date-time" },
    },
  },
};

const podMetrics = {
  group: "metrics.k8s.io",
  version: "v1beta1",
  apiVersion: "metrics.k8s.io/v1beta1",
  kind: "PodMetrics",
  plural: "pods",
  singular: "pod",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["get", "list"],
  subresources: {},
  protobuf: false,
} as const;

test("GT1: the kinds of an aggregated API are generated from its OpenAPI document", async () => {
  const source = kindOfDocument(podMetrics, document, "cluster");
  const sources = source === undefined ? [] : [source];
  const { files } = generate([{ sources, problems: [], skipped: new Map(), notes: [] }]);
  const text = files.get("metrics.k8s.io/v1beta1.ts") ?? "";
  expect(text).toContain('ResourceDescriptor<PodMetrics, "Namespaced", "get" | "list", {}>');
  expect(text).toContain("  containers: ContainerMetrics[];");
  expect(text).toContain("  children?: ContainerMetrics[] | undefined;");
  expect(text).toContain("  usage?: { [key: string]: Quantity } | undefined;");
  expect(text).toContain("  selector?: LabelSelector | undefined;");
  expect(text).toContain("  either?: string | number | undefined;");
  expect(text).toContain("  timestamp: string;");
  expect(text).toContain("  raw?: unknown | undefined;");
  expect(await compile(files)).toBe("");
});

test("GT3: --all generates every kind of a cluster's version, and the modules compile", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  expect((await readCluster(client)).sources).toEqual([]);
  const read = await readCluster(client, { all: true });
  const { files, problems, kinds } = generate([read], { all: true });
  expect(problems).toEqual([]);
  expect(kinds.length).toBeGreaterThan(60);
  expect([...files.keys()]).toContain("core/v1.ts");
  expect(files.get("core/v1.ts")).toContain('apiVersion?: "v1" | undefined;');
  // Types that programs have from typekube already are not registered a second time.
  expect(files.get("apps/v1.ts")).not.toContain("declare module");
  expect(await compile(files)).toBe("");
});

test("GT3: the groups of a cluster are chosen before their documents are read", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  const { sources } = await readCluster(client, { all: true, groups: ["core"] });
  expect(new Set(sources.map(({ group }) => group))).toEqual(new Set([""]));
  await expect(readCluster(client, { group: ["core"] } as object)).rejects.toThrow(/group/);
});
