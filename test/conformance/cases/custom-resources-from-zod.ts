import assert from "node:assert/strict";
import type { KubeObject, Live } from "@typekube/api";
import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { KubeError } from "@typekube/core";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { conversion, createWebhook } from "typekube/controller";
import {
  atomic,
  type CustomResource,
  defineResource,
  embedded,
  goDuration,
  install,
  intOrString,
  listMap,
  listSet,
  quantity,
} from "typekube/crd";
import { immutable, oneOfRequired, rule } from "typekube/crd/rules";
import * as z from "zod";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { causeLine, uninstall } from "../support/custom-resources.js";
import { oneOf, randomSchema } from "../support/random-zod.js";
import { startReviewWebhook } from "../support/review-webhook.js";

/** Random schemas of a run. TYPEKUBE_SEED selects others. */
const schemas = Number(process.env["TYPEKUBE_ZOD_SCHEMAS"] ?? 40);
const firstSeed = Number(process.env["TYPEKUBE_SEED"] ?? 1);
/** Schemas of a case: a real server judges about 500 in the time that it has. A multiple of `fieldsPerDefinition`. */
const schemasPerCase = 200;
/** Schemas that share a definition, as its fields. */
const fieldsPerDefinition = 40;
const objectsPerField = 6;

/** A kind with most of what schemas can express. */
const rich = (group: string) =>
  defineResource({
    group,
    version: "v1",
    kind: "Gadget",
    shortNames: ["gd"],
    description: "A gadget.",
    spec: z.object({
      size: z.int().min(1).max(10),
      color: z.enum(["red", "blue"]).default("red"),
      share: intOrString({ pattern: /^[0-9]+%$/ }).optional(),
      memory: quantity().optional(),
      timeout: goDuration().default("30s"),
      since: z.iso.datetime().optional(),
      total: z.int64().optional(),
      note: z.string().max(5).nullable().optional(),
      ports: listMap(["name"], z.object({ name: z.string(), port: z.int32().min(1) }))
        .max(10)
        .optional(),
      tags: listSet(z.string()).optional(),
      labels: atomic(z.record(z.string(), z.string())).optional(),
      source: z
        .discriminatedUnion("type", [
          z.object({ type: z.literal("git"), url: z.url() }),
          z.object({ type: z.literal("inline"), text: z.string() }),
        ])
        .optional(),
      template: embedded().optional(),
      free: z.looseObject({ known: z.boolean().optional() }).optional(),
      range: rule(z.object({ min: z.int(), max: z.int() }), "self.min <= self.max", {
        messageExpression: "'min %d is above max %d'.format([self.min, self.max])",
        fieldPath: ".min",
      }).optional(),
      choice: oneOfRequired(
        z.object({ a: z.int().optional(), b: z.int().optional() }),
        "a",
        "b",
      ).optional(),
      fixed: immutable(z.string().max(20)).optional(),
    }),
    status: z.object({ ready: z.boolean().optional(), replicas: z.int32().optional() }),
    columns: [
      { name: "Size", type: "integer", jsonPath: ".spec.size" },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ],
    selectable: [".spec.color"],
  });

const specs: readonly object[] = [
  { size: 1 },
  { size: 11, color: "green", share: "many", memory: "1Q", timeout: "P1D", since: "yesterday" },
  { size: "1", note: "too long", total: 1.5, tags: ["a", "b", "a"] },
  { size: 2, ports: [{ name: "a", port: 0 }, { name: "a", port: 1 }, { port: 2 }] },
  { size: 2, source: { type: "git", text: "no URL" }, labels: { a: 1 } },
  { size: 2, source: { type: "other" }, template: { kind: "Pod" }, free: { known: 1, more: [1] } },
  { size: 2, range: { min: 3, max: 1 }, choice: { a: 1, b: 2 } },
  { size: 2, unknown: 1, note: null, source: { type: "inline", text: "x" }, choice: {} },
  {},
];

/** Cases for custom resources that are defined by zod schemas. */
export const customResourcesFromZod: readonly ConformanceCase[] = [
  {
    id: "ZD9-install",
    name: "install() creates a definition once, waits for it, and finds no difference afterwards",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const Gadget = rich(`${namespace}.example`);
      assert.equal((await install(client, [Gadget], { signal }))[0]?.result, "created");
      assert.equal((await install(client, [Gadget], { signal }))[0]?.result, "unchanged");
      const live = await client.resource(CustomResourceDefinition).get(nameOf(Gadget));
      assert.deepEqual(Gadget.compare(live), { result: "none", changes: [] });
      assert.deepEqual(
        live.spec.versions[0]?.schema?.openAPIV3Schema,
        Gadget.crd().spec.versions[0]?.schema?.openAPIV3Schema,
      );
      const gadgets = client.resource(Gadget, namespace);
      const { spec } = await gadgets.create({ metadata: { name: "a" }, spec: { size: 3 } });
      assert.deepEqual(spec, { size: 3, color: "red", timeout: "30s" });
      assert.equal(
        (await gadgets.list({ fieldSelector: { "spec.color": "red" } })).items.length,
        1,
      );
      assert.equal(
        (await gadgets.list({ fieldSelector: { "spec.color": "blue" } })).items.length,
        0,
      );
    },
  },
  {
    id: "ZD9-apply",
    name: "client.apply() of a definition waits until objects of all served versions can be created",
    needs: ["crd"],
    async run({ client, namespace }) {
      const parts = { spec: z.object({ size: z.int() }) };
      const Applied = defineResource({
        group: `${namespace}.example`,
        version: "v1",
        kind: "Applied",
        plural: "applieds",
        ...parts,
        versions: [{ name: "v1beta1", ...parts }],
      });
      const applied = await client.apply(Applied.crd(), { fieldManager: "tests" });
      assert.equal(applied.metadata.name, nameOf(Applied));
      for (const version of ["v1", "v1beta1"]) {
        const reference = { apiVersion: `${Applied.group}/${version}`, kind: "Applied" };
        const object = { metadata: { name: version.toLowerCase() }, spec: { size: 1 } };
        await client.resource(reference, namespace).create(object);
      }
      const live = await client.resource(CustomResourceDefinition).get(nameOf(Applied));
      assert.equal(
        live.status?.conditions?.find(({ type }) => type === "Established")?.status,
        "True",
      );
      // The names of another definition are never served, and the wait says so at once.
      const Taken = defineResource({
        group: Applied.group,
        version: "v1",
        kind: "Applied",
        plural: "others",
        ...parts,
      });
      const refused = await client.apply(Taken.crd(), { fieldManager: "tests" }).then(
        () => assert.fail("names that are taken were served"),
        (error: unknown) => error as KubeError,
      );
      assert.equal(refused.code, "Conflict");
    },
  },
  {
    id: "ZD9-install-race",
    name: "five installers at once agree, and write each revision once",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const small = (more: object) =>
        defineResource({
          group: `${namespace}.example`,
          version: "v1",
          kind: "Racer",
          spec: z.object({ size: z.int(), ...more }),
        });
      const atOnce = async (resource: CustomResource, options: object = {}) => {
        const runs = Array.from({ length: 5 }, () =>
          install(client, [resource], { signal, ...options }),
        );
        return (await Promise.all(runs)).map(([one]) => one?.result).sort();
      };
      assert.deepEqual(await atOnce(small({})), ["created", ...same]);
      const wider = small({ color: z.string().optional() });
      assert.deepEqual(await atOnce(wider, { revision: 2 }), [...same, "updated"]);
      assert.deepEqual(await atOnce(small({}), { revision: 1 }), Array(5).fill("newer"));
    },
  },
  {
    id: "ZD9-install-breaking",
    name: "install() refuses a breaking change with the comparison, unless it is forced",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const names = { group: `${namespace}.example`, version: "v1", kind: "Breaker" } as const;
      const one = defineResource({
        ...names,
        spec: z.object({ size: z.int(), color: z.string() }),
      });
      const other = defineResource({ ...names, spec: z.object({ size: z.int().max(3) }) });
      await install(client, [one], { signal });
      const refused = await install(client, [other], { signal }).then(
        () => assert.fail("a breaking change was installed"),
        (error: unknown) => error as KubeError,
      );
      assert.equal(refused.code, "Conflict");
      assert.match(
        refused.message,
        /v1: spec\.size: maximum added: 3\n- v1: spec\.color: field removed/,
      );
      const definitions = client.resource(CustomResourceDefinition);
      assert.equal(one.compare(await definitions.get(nameOf(one))).result, "none");
      assert.equal((await install(client, [other], { signal, force: true }))[0]?.result, "updated");
      assert.equal(other.compare(await definitions.get(nameOf(one))).result, "none");
    },
  },
  {
    id: "ZS13-examples",
    name: "the server accepts random objects of examples(), and stores them as they are",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const Gadget = rich(`${namespace}.example`);
      await install(client, [Gadget], { signal });
      const gadgets = client.resource(Gadget, namespace);
      for (const example of Gadget.examples({ seed: firstSeed, count: 40 })) {
        const { spec } = await gadgets.create(example, {
          dryRun: "All",
          fieldValidation: "Strict",
        });
        assert.deepEqual(spec, example.spec, `seed ${firstSeed}, ${example.metadata?.name}`);
      }
    },
  },
  {
    id: "ZS8-converters",
    name: "the converters of a definition serve both versions by a webhook",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const define = (more: { conversion?: object } = {}) =>
        defineResource({
          group: `${namespace}.example`,
          version: "v1",
          kind: "Site",
          spec: z.object({ host: z.string(), port: z.int().default(80) }),
          versions: [{ name: "v1beta1", spec: z.object({ address: z.string() }) }],
          convert: {
            v1beta1: {
              toHub(site) {
                const [host = "", port] = site.spec.address.split(":");
                return { ...site, spec: { host, port: Number(port) } };
              },
              fromHub: (site) => ({
                ...site,
                spec: { address: `${site.spec.host}:${site.spec.port}` },
              }),
            },
          },
          ...(more as object),
        });
      const webhook = createWebhook([conversion(define())]);
      await using served = await startReviewWebhook(async (review) => {
        const body = JSON.stringify(review);
        const headers = { "content-type": "application/json" };
        const request = new Request("https://127.0.0.1/convert", { method: "POST", headers, body });
        const { response } = (await (await webhook.fetch(request)).json()) as { response: object };
        return response;
      });
      const { clientConfig } = served;
      const Site = define({ conversion: { strategy: "Webhook", clientConfig } });
      await install(client, [Site], { signal });
      try {
        const sites = client.resource(Site, namespace);
        const reference = { apiVersion: `${Site.group}/v1beta1`, kind: "Site" };
        const beta = client.resource(reference, namespace);
        await beta.create({ metadata: { name: "a" }, spec: { address: "shop:443" } });
        assert.deepEqual((await sites.get("a")).spec, { host: "shop", port: 443 });
        await sites.create({ metadata: { name: "b" }, spec: { host: "tea" } });
        assert.deepEqual(
          (await beta.list()).items.map((site) => site["spec"]),
          [{ address: "shop:443" }, { address: "tea:80" }],
        );
      } finally {
        // Without its webhook, the definition would disturb the server of the other cases.
        await uninstall({ client, signal }, nameOf(Site));
      }
    },
  },
  {
    id: "ZS9-update",
    name: "updates of a definition that servers refuse: scope, group, names, stored versions, pruning",
    needs: ["crd"],
    async run({ client, namespace, signal }) {
      const spec = z.object({ size: z.int().optional() });
      const Frozen = defineResource({
        group: `${namespace}.example`,
        version: "v1",
        kind: "Frozen",
        plural: "frozens",
        spec,
        versions: [{ name: "v1beta1", spec, storage: true }],
      });
      await install(client, [Frozen], { signal });
      const definitions = client.resource(CustomResourceDefinition);
      const refusal = async (change: (spec: CustomResourceDefinition["spec"]) => void) => {
        const update = definitions.modify(nameOf(Frozen), (definition) => change(definition.spec), {
          dryRun: "All",
        });
        return (await serverCauses(update)).map((line) =>
          line.replaceAll(namespace, "NS").replace(/ \|.*Invalid value: (\S+): /, " $1 "),
        );
      };
      const found = [
        await refusal((one) => {
          one.scope = "Cluster";
        }),
        await refusal((one) => {
          one.group = "other.example";
        }),
        await refusal((one) => {
          one.names.kind = "Other";
        }),
        await refusal((one) => {
          one.names.plural = "others";
        }),
        await refusal((one) => {
          one.versions = one.versions.filter(({ name }) => name === "v1");
          Object.assign(one.versions[0] ?? {}, { storage: true });
        }),
        await refusal((one) => {
          one.preserveUnknownFields = true;
        }),
        await refusal((one) => {
          Object.assign(one.names, { singular: "f", listKind: "Frozenses", shortNames: ["fz"] });
        }),
      ];
      assert.deepEqual(found, [
        ['spec.scope "Cluster" field is immutable'],
        ['spec.group "other.example" field is immutable'],
        ['spec.names.kind "Other" field is immutable'],
        ['spec.names.plural "others" field is immutable'],
        [
          'status.storedVersions[0] "v1beta1" missing from spec.versions; v1beta1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1beta1 and removes v1beta1 from status.storedVersions',
        ],
        [
          "spec.preserveUnknownFields true cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        ],
        // Other names may change.
        [],
      ]);
      const { group, version, kind, plural } = Frozen;
      const only = defineResource({ group, version, kind, plural, spec });
      const cluster = defineResource({ group, version, kind, plural, spec, scope: "Cluster" });
      for (const next of [only, cluster]) {
        assert.equal(next.compare(Frozen.crd()).result, "breaking");
        await assert.rejects(
          install(client, [next], { signal, force: true }),
          (error: unknown) => (error as KubeError).code === "Invalid",
        );
      }
    },
  },
  {
    id: "ZS12-check",
    name: "check() gives the causes of the server, for creates, updates and statuses",
    needs: ["crd"],
    async run(context) {
      const Gadget = rich(`${context.namespace}.example`);
      await install(context.client, [Gadget], { signal: context.signal });
      for (const spec of specs) {
        await compareCreate(context, Gadget, spec);
      }
      for (const metadata of [
        { name: "Upper" },
        { name: "a".repeat(254) },
        { name: "a..b" },
        { generateName: "Up-" },
        { generateName: "up-" },
        { name: "a", labels: { "not a key": "v", "a/b/c": "v", good: "not a value", "": "x" } },
        { name: "a", labels: { "example.com/app": "v".repeat(64), Upper: "OK" } },
        { name: "a", annotations: { "not a key": "", "Example.com/App": "free text", "/a": "" } },
        { name: "a", annotations: { a: "x".repeat(256 * 1024) } },
        { name: "B", labels: { a: "-" } },
      ]) {
        for (const spec of [{ size: 1 }, { size: 99, range: { min: 2, max: 1 } }]) {
          const gadget = { metadata, spec };
          const own = linesOf(Gadget.check(gadget).causes);
          const work = context.client
            .resource(Gadget, context.namespace)
            .create(gadget as never, { dryRun: "All" });
          // A server also reports the name that it generated from a wrong start.
          const generated = (line: string) =>
            "generateName" in metadata && /^metadata\.name /.test(line);
          const lines = (await serverCauses(work)).filter((line) => !generated(line));
          assert.deepEqual(lines, own, JSON.stringify(metadata).slice(0, 100));
        }
      }
      const gadgets = context.client.resource(Gadget as CustomResource, context.namespace);
      const valid = { metadata: { name: "old" }, spec: { size: 2, fixed: "a", note: "x" } };
      const old = await gadgets.create(valid as never);
      for (const change of [
        { fixed: "b" },
        { size: 20 },
        { range: { min: 2, max: 1 } },
        { note: "y" },
      ]) {
        const next = { ...old, spec: { ...valid.spec, ...change } };
        const work = gadgets.update(next as never, { dryRun: "All" });
        assert.deepEqual(await serverCauses(work), linesOf(Gadget.check(next, { old }).causes));
      }
      for (const status of [{ ready: "yes" }, { replicas: 1.5 }, { ready: true }]) {
        const next = { ...old, status };
        const work = context.client
          .resource(Gadget, context.namespace)
          .status.update("old", next as never, { dryRun: "All" });
        const own = Gadget.check(next, { old, subresource: "status" }).causes;
        assert.deepEqual(await serverCauses(work), linesOf(own));
      }
    },
  },
  {
    id: "ZD4-names",
    name: "names are refused with the texts of the server",
    needs: ["crd"],
    async run({ client }) {
      const names = {
        group: "names.typekube.dev",
        version: "v1",
        kind: "Name",
        spec: z.object({}),
      };
      for (const wrong of [
        { group: "Names.dev" },
        { group: "names" },
        { kind: "My_Kind" },
        { listKind: "Name" },
        { shortNames: ["A"] },
        { categories: ["a b"] },
        { version: "V1" },
        { group: "names.k8s.io" },
      ]) {
        const text = definitionError({ ...names, ...wrong });
        const plural = `${(wrong.kind ?? "Name").toLowerCase()}s`;
        const base = defineResource({ ...names, kind: "Name", group: "names.typekube.dev" }).crd();
        const { group = names.group, kind = "Name", version, ...other } = wrong;
        const work = client.resource(CustomResourceDefinition).create(
          {
            ...base,
            metadata: { name: `${plural}.${group}` },
            spec: {
              ...base.spec,
              group,
              names: {
                ...base.spec.names,
                kind,
                plural,
                singular: kind.toLowerCase(),
                listKind: `${kind}List`,
                ...other,
              },
              versions: base.spec.versions.map((one) => ({ ...one, name: version ?? one.name })),
            },
          },
          { dryRun: "All" },
        );
        for (const line of await serverCauses(work)) {
          const [field = "", , message = ""] = line.split(" | ");
          // The name follows from the names, whose errors are enough for a definition in a program.
          const isDerived = field === "metadata.name";
          assert.ok(
            isDerived || text.includes(`${field}: ${message}`),
            `${line}\nis missing in\n${text}`,
          );
        }
      }
    },
  },
  ...Array.from({ length: Math.ceil(schemas / schemasPerCase) }, (_, at) =>
    randomCase(at * schemasPerCase, Math.min((at + 1) * schemasPerCase, schemas)),
  ),
];

/** A part of the random schemas: all of them may take longer than a case on a real server. */
function randomCase(from: number, to: number): ConformanceCase {
  return {
    id: from === 0 ? "ZD8-random" : `ZD8-random-${from}`,
    name: `${to - from} random schemas from seed ${firstSeed + from} on are stored unchanged, and objects of them are judged as by the server`,
    needs: ["crd"],
    async run(context) {
      for (let first = from; first < to; first += fieldsPerDefinition) {
        const count = Math.min(fieldsPerDefinition, to - first);
        await compareRandom(context, firstSeed + first, count);
      }
    },
  };
}

const same = Array(4).fill("unchanged");

async function compareRandom(context: ConformanceContext, seed: number, count: number) {
  const { client, namespace, signal } = context;
  const made = Array.from({ length: count }, (_, at) => ({
    name: `f${at}`,
    ...randomSchema(seededRandom(seed + at)),
  }));
  const resource = defineResource({
    group: `${namespace}.random`,
    version: "v1",
    kind: `Random${seed}`,
    plural: `random${seed}s`,
    spec: z.object(Object.fromEntries(made.map(({ name, schema }) => [name, schema.optional()]))),
  });
  await install(client, [resource], { signal });
  const live = await client.resource(CustomResourceDefinition).get(nameOf(resource));
  assert.deepEqual(
    live.spec.versions[0]?.schema,
    resource.crd().spec.versions[0]?.schema,
    `the schemas from seed ${seed} on are not stored as they are`,
  );
  const untyped = resource as unknown as CustomResource;
  let old: Live<KubeObject> | undefined;
  for (const [at, { name, value }] of made.entries()) {
    const random = seededRandom(seed + at + 1_000_000);
    for (let round = 0; round < objectsPerField; round++) {
      const other = oneOf(random, made);
      const spec = { [other.name]: other.value(random), [name]: value(random) };
      await compareCreate(context, untyped, spec, `seed ${seed + at}`);
      old ??= await stored(context, untyped, spec);
      if (old !== undefined) {
        await compareUpdate(context, untyped, old, spec, `seed ${seed + at}`);
      }
    }
  }
}

/** Stores an object for updates; `undefined` if the server refuses it. */
async function stored(
  { client, namespace }: ConformanceContext,
  resource: CustomResource,
  spec: object,
): Promise<Live<KubeObject> | undefined> {
  if (resource.check({ metadata: { name: "old" }, spec }).causes.length > 0) {
    return undefined;
  }
  return client
    .resource(resource, namespace)
    .create({ metadata: { name: "old" }, spec } as never, { onWarning: () => {} });
}

/** Compares the verdict on an update, which tolerates errors in unchanged values. */
async function compareUpdate(
  { client, namespace }: ConformanceContext,
  resource: CustomResource,
  old: Live<KubeObject>,
  spec: object,
  where: string,
): Promise<void> {
  const next = { ...old, spec: { ...(old as { readonly spec?: object }).spec, ...spec } };
  const work = client
    .resource(resource, namespace)
    .update(next as never, { dryRun: "All", onWarning: () => {} });
  const own = linesOf(resource.check(next, { old }).causes);
  assert.deepEqual(own, await serverCauses(work), `${where} update ${JSON.stringify(spec)}`);
}

/** Compares the verdict on a new object, and the object with defaults and without unknown fields. */
async function compareCreate(
  { client, namespace }: ConformanceContext,
  resource: CustomResource,
  spec: object,
  where = "",
): Promise<void> {
  const object = { metadata: { name: "a" }, spec };
  const shown = `${where} ${JSON.stringify(spec)}`;
  const own = resource.simulate(object);
  const work = client
    .resource(resource, namespace)
    .create(object as never, { dryRun: "All", onWarning: () => {} });
  const causes = await serverCauses(work);
  assert.deepEqual(linesOf(own.causes), causes, shown);
  if (causes.length === 0) {
    const { metadata: _metadata, ...stored } = (await work) as unknown as Record<string, unknown>;
    const { metadata: _own, ...simulated } = own.object as unknown as Record<string, unknown>;
    assert.deepEqual(simulated, stored, shown);
  }
}

async function serverCauses(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (error instanceof KubeError && error.code === "Invalid") {
      return error.causes.map(causeLine).sort();
    }
    throw error;
  }
}

function linesOf(
  causes: Parameters<typeof causeLine>[0][] | readonly Parameters<typeof causeLine>[0][],
): string[] {
  return causes.map(causeLine).sort();
}

function definitionError(options: object): string {
  try {
    defineResource(options as never);
  } catch (error) {
    return (error as KubeError).message;
  }
  throw new Error("the definition was accepted");
}

function nameOf({ plural, group }: CustomResource): string {
  return `${plural}.${group}`;
}
