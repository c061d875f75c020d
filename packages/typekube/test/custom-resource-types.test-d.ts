import type { KubeObject } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import { type Client, connect } from "typekube";
import { checkConversions, conversion, defineController } from "typekube/controller";
import {
  type CustomResource,
  defineResource,
  embedded,
  install,
  intOrString,
  listMap,
  type NewObjectOf,
  type ObjectOf,
} from "typekube/crd";
import { immutable, rule } from "typekube/crd/rules";
import { extract } from "typekube/fields";
import type { Applied, DeepPartial, FieldSelectorInput, FieldSelectorOf } from "typekube/types";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";

const Widget = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  spec: z.object({
    size: z.int().min(1),
    color: z.enum(["red", "blue"]).default("red"),
    owner: z.string().optional(),
    total: z.int64().optional(),
    port: intOrString().optional(),
    ports: listMap(["name"], z.object({ name: z.string(), port: z.int() })).optional(),
    template: embedded(Pod).optional(),
    fixed: immutable(z.string()).optional(),
  }),
  status: z.object({ ready: z.boolean().optional() }),
});
type Widget = ObjectOf<typeof Widget>;

const Cluster = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Cluster",
  scope: "Cluster",
  scale: true,
  spec: z.object({ replicas: z.int32() }),
  status: z.object({ replicas: z.int32().optional() }),
});

const Port = z.object({
  port: z.int(),
  protocol: z.enum(["TCP", "UDP"]).default("TCP"),
  host: z.string().optional(),
});
const Condition = z.object({ type: z.string(), status: z.string() });

const client = {} as Client;

describe("types of custom resources", () => {
  it("ZD6: reads have defaults, writes need them not", async () => {
    const widgets = client.resource(Widget, "ns");
    const read = await widgets.get("a");
    expectTypeOf(read.apiVersion).toEqualTypeOf<"example.com/v1">();
    expectTypeOf(read.kind).toEqualTypeOf<"Widget">();
    expectTypeOf(read.metadata.labels).toEqualTypeOf<Record<string, string> | undefined>();
    expectTypeOf(read.spec.color).toEqualTypeOf<"blue" | "red">();
    expectTypeOf(read.spec.size).toEqualTypeOf<number>();
    expectTypeOf(read.spec.owner).toEqualTypeOf<string | undefined>();
    expectTypeOf(read.spec.total).toEqualTypeOf<bigint | number | undefined>();
    expectTypeOf(read.spec.port).toEqualTypeOf<number | string | undefined>();
    expectTypeOf(read.spec.template?.spec?.nodeName).toEqualTypeOf<string | undefined>();
    expectTypeOf(read.status?.ready).toEqualTypeOf<boolean | undefined>();
    const created = await widgets.create({ metadata: { name: "a" }, spec: { size: 3 } });
    expectTypeOf(created.spec.color).toEqualTypeOf<"blue" | "red">();
    await widgets.update({ ...read, spec: { ...read.spec, color: "blue" } });
    await widgets.modify("a", (widget) => {
      widget.spec.size += 1;
    });
    await widgets.apply({ metadata: { name: "a" }, spec: { color: "blue" } });
    await widgets.status.apply("a", { status: { ready: true } });
    // @ts-expect-error size is required
    await widgets.create({ metadata: { name: "a" }, spec: {} });
    // @ts-expect-error green is no color
    await widgets.create({ metadata: { name: "a" }, spec: { size: 3, color: "green" } });
    // @ts-expect-error there is no such field
    await widgets.create({ metadata: { name: "a" }, spec: { size: 3, colour: "red" } });
    // @ts-expect-error the kind is another one
    await widgets.create({ kind: "Gadget", metadata: { name: "a" }, spec: { size: 3 } });
    // @ts-expect-error no scale without paths
    expectTypeOf(widgets.scale).toBeNever();
  });

  it("ZD6: names the types of read and new objects", () => {
    const fresh: NewObjectOf<typeof Widget> = { metadata: { name: "a" }, spec: { size: 3 } };
    expectTypeOf<Widget["spec"]["color"]>().toEqualTypeOf<"blue" | "red">();
    expectTypeOf<Widget>().toExtend<KubeObject>();
    expectTypeOf(Widget).toExtend<CustomResource>();
    expectTypeOf(Cluster).toExtend<CustomResource>();
    expectTypeOf(Widget.example()).toExtend<KubeObject>();
    expectTypeOf(Widget.parse(fresh).spec.color).toEqualTypeOf<"blue" | "red">();
    expectTypeOf(Widget.simulate(fresh).object.spec.size).toEqualTypeOf<number>();
  });

  it("ZD7: applied objects are deep partial, but keys of list maps are required", async () => {
    const port = listMap(["port", "protocol"], Port).min(1);
    const Deep = defineResource({
      group: "example.com",
      version: "v1",
      kind: "Deep",
      spec: z.object({
        limits: z.object({ cpu: z.string(), memory: z.string() }),
        ports: port,
        more: immutable(port).optional().describe("more ports"),
        defaulted: port.default([]),
        records: z.record(z.string(), z.object({ ports: port })).optional(),
        lists: z.array(z.object({ ports: port, other: z.string() })).optional(),
        nested: listMap(["name"], z.object({ name: z.string(), ports: port })).optional(),
        nothing: port.nullable().optional(),
        union: z.discriminatedUnion("type", [
          z.object({ type: z.literal("A"), ports: port }),
          z.object({ type: z.literal("B"), size: z.int64() }),
        ]),
        both: z.intersection(z.object({ one: z.string() }), z.object({ ports: port })),
        loose: z.looseObject({ ports: port }),
        free: z.json().optional(),
        any: z.unknown(),
        template: embedded(Pod).optional(),
      }),
      status: z.object({ conditions: listMap(["type"], Condition), ready: z.boolean() }),
    });
    type Deep = ObjectOf<typeof Deep>;
    const deeps = client.resource(Deep, "ns");
    const metadata = { name: "a" };
    const half = { port: 80 };
    const item = { port: 80, host: "a" };
    await deeps.apply({ metadata, spec: {} });
    await deeps.apply({ metadata, spec: { limits: { cpu: "1" } } });
    await deeps.apply({ metadata, spec: { ports: [item, half, { port: 81, protocol: "UDP" }] } });
    await deeps.apply({ metadata, spec: { lists: [{ ports: [half] }], nothing: null } });
    await deeps.apply({ metadata, spec: { records: { a: { ports: [half] } }, loose: { x: 1 } } });
    await deeps.apply({ metadata, spec: { nested: [{ name: "a", ports: [half] }] } });
    await deeps.apply({ metadata, spec: { union: { type: "A", ports: [half] }, any: { a: [1] } } });
    await deeps.apply({ metadata, spec: { union: { size: 1n }, free: { a: [1, null] } } });
    await deeps.apply({ metadata, spec: { both: { one: "a", ports: [half] } } });
    await deeps.apply({ metadata, spec: { template: { spec: { nodeName: "n1" } } } });
    await deeps.status.apply("a", { status: { conditions: [{ type: "Ready" }] } });
    await deeps.apply(await deeps.get("a"));
    await deeps.apply(await extract(await deeps.get("a"), "me"));
    await deeps.applyWithResult({ metadata, spec: { ports: [half] } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { ports: [{ host: "a" }] } });
    // @ts-expect-error the key of a port is missing
    await deeps.applyWithResult({ metadata, spec: { ports: [{}] } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { more: [{ host: "a" }] } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { defaulted: [{ host: "a" }] } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { records: { a: { ports: [{ host: "a" }] } } } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { lists: [{ ports: [{}] }] } });
    // @ts-expect-error the name of a nested item is missing
    await deeps.apply({ metadata, spec: { nested: [{ ports: [half] }] } });
    // @ts-expect-error the key of a nested port is missing
    await deeps.apply({ metadata, spec: { nested: [{ name: "a", ports: [{}] }] } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { union: { ports: [{}] } } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { both: { ports: [{}] } } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { loose: { ports: [{}] } } });
    // @ts-expect-error the key of a port is missing
    await deeps.apply({ metadata, spec: { nothing: [{}] } });
    // @ts-expect-error the type of a condition is missing
    await deeps.status.apply("a", { status: { conditions: [{ status: "True" }] } });
    // @ts-expect-error a port is a number
    await deeps.apply({ metadata, spec: { ports: [{ port: "80" }] } });
    // @ts-expect-error there is no such field
    await deeps.apply({ metadata, spec: { limits: { gpu: "1" } } });
    // @ts-expect-error the kind is another one
    await deeps.apply({ kind: "Widget", metadata, spec: {} });
    defineController(Deep, {
      async reconcile(_deep, run) {
        await run.apply(Deep, { metadata, spec: { ports: [half] } });
        // @ts-expect-error the key of a port is missing
        await run.apply(Deep, { metadata, spec: { ports: [{ host: "a" }] } });
      },
    });
    expectTypeOf<Applied<Deep>["metadata"]>().toEqualTypeOf<
      DeepPartial<KubeObject["metadata"]> | undefined
    >();
    expectTypeOf<Applied<Pod>>().toEqualTypeOf<DeepPartial<Pod>>();
  });

  it("ZS5 [+]: a field selector takes the selectable fields, and the name and namespace", async () => {
    const Paint = defineResource({
      group: "example.com",
      version: "v1",
      kind: "Paint",
      spec: z.object({ color: z.string(), size: z.object({ inches: z.int() }) }),
      selectable: [".spec.color", ".spec.size.inches"],
    });
    type Paint = ObjectOf<typeof Paint>;
    const paints = client.resource(Paint, "ns");
    const red = { "spec.color": "red", "metadata.name": "a" } as const;
    await paints.list({ fieldSelector: red, limit: 1, resourceVersion: "0" });
    await paints.list({ fieldSelector: { "spec.size.inches": "3", "metadata.namespace": "ns" } });
    await paints.deleteCollection({ fieldSelector: red });
    await paints.table({ fieldSelector: red });
    paints.items({ fieldSelector: red, pageSize: 10 });
    paints.watch({ fieldSelector: red });
    const text: string = "spec.color!=red";
    await paints.list({ fieldSelector: text });
    await paints.list({ fieldSelector: "spec.color!=red,metadata.name=a" });
    await paints.list({ labelSelector: { app: "a" } });
    client.informer(Paint, { fieldSelector: red, indexes: { color: (one) => [one.spec.color] } });
    // @ts-expect-error there is no such selectable field
    await paints.list({ fieldSelector: { "spec.colour": "red" } });
    // @ts-expect-error there is no such selectable field
    await paints.deleteCollection({ fieldSelector: { "spec.colour": "red" } });
    // @ts-expect-error there is no such selectable field
    paints.items({ fieldSelector: { "spec.size": "3" } });
    // @ts-expect-error there is no such selectable field
    paints.watch({ fieldSelector: { "metadata.uid": "3" } });
    // @ts-expect-error there is no such selectable field
    await paints.table({ fieldSelector: { "spec.colour": "red" } });
    // @ts-expect-error values are text
    await paints.list({ fieldSelector: { "spec.size.inches": 3 } });
    // @ts-expect-error there is no such selectable field
    client.informer(Paint, { fieldSelector: { "spec.colour": "red" } });
    // @ts-expect-error a match without a resourceVersion stays refused
    await paints.list({ fieldSelector: red, resourceVersionMatch: "Exact" });
    // @ts-expect-error no selectable fields but name and namespace
    await client.resource(Widget, "ns").list({ fieldSelector: { "spec.color": "red" } });
    await client.resource(Widget, "ns").list({ fieldSelector: { "metadata.name": "a" } });
    expectTypeOf<FieldSelectorOf<Pod>>().toEqualTypeOf<FieldSelectorInput>();
    defineController(Widget, {
      owns: [{ kind: Paint, fieldSelector: red }],
      async reconcile(_widget, run) {
        await run.live.list(Paint, { fieldSelector: red });
        // @ts-expect-error there is no such selectable field
        await run.live.list(Paint, { fieldSelector: { "spec.colour": "red" } });
      },
    });
    expectTypeOf<Paint["spec"]["color"]>().toEqualTypeOf<string>();
  });

  it("ZS8: converters have the types of both versions", () => {
    const names = { group: "example.com", version: "v1", kind: "Site" } as const;
    const spec = z.object({ host: z.string(), port: z.int().default(80) });
    const old = { name: "v1beta1", spec: z.object({ address: z.string() }) } as const;
    const Site = defineResource({
      ...names,
      spec,
      status: z.object({ ready: z.boolean().optional() }),
      versions: [old, { name: "v1alpha1", spec: z.object({ hosts: z.array(z.string()) }) }],
      convert: {
        v1beta1: {
          toHub(site) {
            expectTypeOf(site.apiVersion).toEqualTypeOf<"example.com/v1beta1" | undefined>();
            expectTypeOf(site.spec.address).toEqualTypeOf<string>();
            return { ...site, spec: { host: site.spec.address } };
          },
          fromHub(site) {
            expectTypeOf(site.spec.port).toEqualTypeOf<number>();
            expectTypeOf(site.status?.ready).toEqualTypeOf<boolean | undefined>();
            return { ...site, spec: { address: site.spec.host } };
          },
        },
        v1alpha1: {
          toHub: (site) => ({ spec: { host: site.spec.hosts[0] ?? "", port: 1 } }),
          fromHub: (site) => ({ spec: { hosts: [site.spec.host] } }),
        },
      },
    });
    conversion(Site);
    checkConversions(Site, { seed: 1, runs: 10 });
    expectTypeOf(Site.simulate({}).object.spec.host).toEqualTypeOf<string>();
    expectTypeOf(Site.examples()[0]).toEqualTypeOf<ObjectOf<typeof Site> | undefined>();
    // @ts-expect-error no converter of v1beta1
    defineResource({ ...names, spec, versions: [old], convert: {} });
    defineResource({
      ...names,
      spec,
      versions: [old],
      convert: {
        v1beta1: {
          toHub: (site) => ({ ...site, spec: { host: site.spec.address } }),
          // @ts-expect-error the address is missing
          fromHub: (site) => ({ ...site, spec: {} }),
        },
      },
    });
  });

  it("ZD1: clients, informers, controllers and install take the value", async () => {
    const informer = client.informer(Widget, {
      namespace: "ns",
      indexes: { color: (one) => [one.spec.color] },
    });
    expectTypeOf(informer.get("ns/a")?.spec.size).toEqualTypeOf<number | undefined>();
    await install(client, [Widget, Cluster]);
    const controller = defineController(Widget, {
      async reconcile(widget, run) {
        expectTypeOf(widget.spec.color).toEqualTypeOf<"blue" | "red">();
        await run.apply(Widget, { metadata: { name: "b" }, spec: { color: "blue" } });
      },
    });
    expectTypeOf(controller).toBeObject();
    for await (const event of client.resource(Widget).watch()) {
      if (event.type !== "BOOKMARK") {
        expectTypeOf(event.object.spec.size).toEqualTypeOf<number>();
      }
    }
  });

  it("ZD1: scope and subresources follow from the definition", async () => {
    const clusters = client.resource(Cluster);
    await clusters.status.get("a");
    const scale = await clusters.scale.get("a");
    expectTypeOf(scale.spec?.replicas).toEqualTypeOf<number | undefined>();
    // @ts-expect-error a cluster-scoped kind has no namespace
    client.resource(Cluster, "ns");
    expectTypeOf(Cluster.scope).toEqualTypeOf<"Cluster">();
    const NoStatus = defineResource({
      group: "example.com",
      version: "v1",
      kind: "Plain",
      spec: z.object({ a: z.string() }),
    });
    // @ts-expect-error no status without a schema of it
    expectTypeOf(client.resource(NoStatus, "ns").status).toBeNever();
    expectTypeOf(client.resource(NoStatus, "ns").get).toBeFunction();
  });

  it("ZD22: a value that zod transforms has the type that is stored", async () => {
    const Job = defineResource({
      group: "example.com",
      version: "v1",
      kind: "Task",
      spec: z.object({
        at: z.iso.datetime().transform((text) => new Date(text)),
        n: z.int().default(1),
      }),
    });
    const read = await client.resource(Job, "ns").get("a");
    expectTypeOf(read.spec.at).toEqualTypeOf<string>();
    expectTypeOf(read.spec.n).toEqualTypeOf<number>();
  });

  it("ZD15: fields of any JSON take any JSON", async () => {
    const Free = defineResource({
      group: "example.com",
      version: "v1",
      kind: "Free",
      spec: z.object({ json: z.json(), any: z.any(), unknown: z.unknown() }),
    });
    const spec = { json: { a: [1, null] }, any: { b: [true] }, unknown: ["c"] };
    await client.resource(Free, "ns").create({ metadata: { name: "a" }, spec });
    await client.resource(Free, "ns").apply({ metadata: { name: "a" }, spec });
    const read = await client.resource(Free, "ns").get("a");
    expectTypeOf(read.spec.json).toEqualTypeOf<z.core.util.JSONType>();
    expectTypeOf(read.spec.unknown).toEqualTypeOf<unknown>();
  });

  it("ZD31: zod/mini and raw schemas work", async () => {
    const Mini = defineResource({
      group: "example.com",
      version: "v1",
      kind: "Mini",
      spec: mini.object({ a: mini.optional(mini.string()) }),
    });
    expectTypeOf((await client.resource(Mini, "ns").get("a")).spec.a).toEqualTypeOf<
      string | undefined
    >();
    interface Raw extends KubeObject {
      spec: { size: number };
    }
    const Raw = defineResource<Raw>({
      group: "example.com",
      version: "v1",
      kind: "Raw",
      schema: { type: "object", properties: { spec: { type: "object" } } },
    });
    expectTypeOf((await client.resource(Raw, "ns").get("a")).spec.size).toEqualTypeOf<number>();
    expectTypeOf(Raw).toExtend<CustomResource<Raw>>();
  });

  it("ZD29: a spec that is no object is a compile error", () => {
    const names = { group: "example.com", version: "v1", kind: "Bad" } as const;
    // @ts-expect-error the spec must be an object
    defineResource({ ...names, spec: z.string() });
    // @ts-expect-error the spec must be an object
    defineResource({ ...names, spec: z.array(z.string()) });
    // @ts-expect-error no zod schema
    defineResource({ ...names, spec: { size: 1 } });
    // @ts-expect-error unknown option
    defineResource({ ...names, spec: z.object({}), shortName: ["w"] });
    // @ts-expect-error keys of a list map are fields of its items
    listMap(["nam"], z.object({ name: z.string() }));
    expectTypeOf(rule("self.spec.a == 1").rule).toEqualTypeOf<string>();
    expectTypeOf(connect).toBeFunction();
  });
});
