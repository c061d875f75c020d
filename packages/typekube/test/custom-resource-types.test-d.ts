import type { KubeObject } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import { type Client, connect } from "typekube";
import { defineController } from "typekube/controller";
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
