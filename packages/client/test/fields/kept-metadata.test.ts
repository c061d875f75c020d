import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { type Client, type Encoding, mergePatch } from "typekube";
import { describe, expect, test } from "vitest";

const encodings: readonly Encoding[] = ["json", "protobuf", "cbor"];

const own = {
  labels: { app: "web" },
  annotations: { "example.com/owner": "team-a" },
  finalizers: ["example.com/hold"],
  ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "1" }],
};

const template = {
  metadata: { labels: own.labels },
  spec: { containers: [{ name: "main", image: "web:1" }] },
};

async function withObjects(use: (client: Client, api: ApiServer) => Promise<void>): Promise<void> {
  await using api = await startApiServer({ clock: "virtual" });
  await using client = await api.client();
  const metadata = { name: "a", ...own };
  await client.resource(ConfigMap, "default").create({ metadata, data: { a: "1" } });
  await client
    .resource(Deployment, "default")
    .create({ metadata, spec: { selector: { matchLabels: own.labels }, template } });
  await client.resource(Pod, "default").create({ metadata, spec: template.spec });
  await use(client, api);
}

/** An object whose fields were kept in part, as the types see it once it is passed on. */
type Kept = { metadata: { name: string } } & Record<string, never>;

interface Read {
  readonly client: Client;
  /** ConfigMap, Deployment and Pod of which some fields were read, or copies of these with the same metadata. */
  readonly map: Kept;
  readonly deployment: Kept;
  readonly pod: Kept;
}

/** Objects that a program makes of one that it has read. Each has the metadata of that object. */
const forms: Readonly<Record<string, (kept: Kept) => Kept>> = {
  "the metadata in another object": ({ metadata, data, spec }) =>
    ({ metadata, data, spec }) as never,
  "a copy by spread": (kept) => ({ ...kept }),
};

const mapsOf = (client: Client) => client.resource(ConfigMap, "default");
const deploymentsOf = (client: Client) => client.resource(Deployment, "default");
const podsOf = (client: Client) => client.resource(Pod, "default");

/** Calls that send a whole object: what it lacks would be deleted. */
const wholeWrites: Readonly<Record<string, (read: Read) => unknown>> = {
  update: ({ client, map }) => mapsOf(client).update(map),
  create: ({ client, map }) => mapsOf(client).create(map),
  "dry-run update": ({ client, map }) => mapsOf(client).update(map, { dryRun: "All" }),
  "modify, which returns it": ({ client, map }) => mapsOf(client).modify("a", () => map),
  "modify, which assigns its metadata": ({ client, map }) =>
    mapsOf(client).modify("a", (draft) => {
      draft.metadata = map.metadata as never;
      draft.data = { a: "2" };
    }),
  createIfMissing: ({ client, map }) =>
    mapsOf(client).modify("new", () => {}, { createIfMissing: map }),
  "update of the status": ({ client, deployment }) =>
    deploymentsOf(client).status.update("a", deployment as never),
  "modify of the status": ({ client, deployment }) =>
    deploymentsOf(client).status.modify("a", () => deployment as never),
  "update of a pod's ephemeral containers": ({ client, pod }) =>
    podsOf(client).ephemeralcontainers.update("a", pod as never),
  apply: ({ client, map }) => mapsOf(client).apply(map as never, { force: true }),
  applyWithResult: ({ client, map }) =>
    mapsOf(client).applyWithResult(map as never, { force: true }),
  "client.apply with its metadata": ({ client, map }) =>
    client.apply({ ...ofKind("ConfigMap", map) } as never, { force: true }),
  "applyAll with its metadata": ({ client, map }) =>
    client.applyAll([ofKind("ConfigMap", map)], { force: true }),
  "applyAndPrune with its metadata": ({ client, map }) =>
    client.applyAndPrune([ofKind("ConfigMap", map)], { applySet: { name: "set" }, force: true }),
  "diff with its metadata": ({ client, map }) =>
    client.diff([ofKind("ConfigMap", map)], { force: true }),
  "apply of the status with its metadata": ({ client, deployment: { metadata } }) =>
    deploymentsOf(client).status.apply("a", { metadata, status: { replicas: 1 } } as never),
  "mutated of an informer": async ({ client, map }) => {
    await using informer = client.informer(ConfigMap, { fields: ["data"] });
    await informer.synced();
    informer.mutated(map as never);
  },
};

/** Calls that send a part of an object, and leave the rest as it is. An apply does not: what it leaves out is deleted. */
const partialWrites: Readonly<Record<string, (read: Read) => unknown>> = {
  "merge patch": ({ client, map }) => mapsOf(client).patch("a", mergePatch(map)),
  "patch of the status": ({ client, deployment }) =>
    deploymentsOf(client).status.patch("a", mergePatch({ metadata: deployment.metadata })),
  "update of the scale": ({ client, deployment: { metadata } }) =>
    deploymentsOf(client).scale.update("a", { metadata, spec: { replicas: 2 } }),
  eviction: ({ client, pod: { metadata } }) => podsOf(client).eviction.create("a", { metadata }),
  delete: ({ client, map }) => mapsOf(client).delete(map.metadata.name),
};

function ofKind(kind: "ConfigMap", { metadata, data }: Kept) {
  return { apiVersion: "v1", kind, metadata, data } as const;
}

async function readParts(client: Client, encoding: Encoding, fields: readonly string[]) {
  const options = { encoding, fields: fields as never };
  const map = (await mapsOf(client).get("a", options)) as never;
  const deployment = (await deploymentsOf(client).get("a", options)) as never;
  return { map, deployment, pod: (await podsOf(client).get("a", options)) as never };
}

function made(read: Omit<Read, "client">, form: (kept: Kept) => Kept) {
  return { map: form(read.map), deployment: form(read.deployment), pod: form(read.pod) };
}

/** Fails unless nobody has lost what the read did not keep. */
async function expectUnharmed(client: Client): Promise<void> {
  for (const resource of [mapsOf(client), deploymentsOf(client), podsOf(client)]) {
    expect((await resource.get("a")).metadata).toMatchObject(own);
  }
}

const refusal = { code: "InvalidArgument" };

describe.each(Object.entries(wholeWrites))("FIELDS-metadata: %s", (name, write) => {
  test.each(Object.entries(forms))("refuses %s, before anything is written", (_form, form) =>
    withObjects(async (client, api) => {
      for (const encoding of encodings) {
        const read = await readParts(client, encoding, ["metadata.generation"]);
        const writes = () => api.requests.filter(({ verb }) => /create|update/.test(verb)).length;
        const before = writes();
        const failed = await Promise.resolve(write({ client, ...made(read, form) })).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(failed).toMatchObject(refusal);
        expect(String(failed)).toMatch(
          /the metadata of .+ was read with `fields`.*patch the object, or read it/s,
        );
        expect(writes()).toBe(before);
        await expectUnharmed(client);
      }
    }),
  );

  test("refuses the object itself, too", () =>
    withObjects(async (client) => {
      const read = await readParts(client, "json", ["metadata.generation"]);
      const failed = Promise.resolve(write({ client, ...read }));
      await expect(failed).rejects.toMatchObject(refusal);
      await expect(failed).rejects.toThrow(
        name.includes("its metadata")
          ? /the metadata of/
          : /\] (?!the metadata).+ was read with `fields`/,
      );
    }));

  test("takes metadata that was kept as a whole", () =>
    withObjects(async (client) => {
      const read = await readParts(client, "protobuf", ["metadata"]);
      const form = forms["the metadata in another object"] as (kept: Kept) => Kept;
      const failed = await Promise.resolve(write({ client, ...made(read, form) })).then(
        () => "",
        String,
      );
      // Some are refused by the server, for other reasons: an object without its spec, or of a name that exists.
      expect(failed).not.toContain("read with `fields`");
      for (const resource of [mapsOf(client), deploymentsOf(client)]) {
        expect((await resource.get("a")).metadata).toMatchObject(own);
      }
    }));
});

describe.each(Object.entries(partialWrites))("FIELDS-metadata: %s", (_name, write) => {
  test.each(Object.entries(forms))("takes %s, and the rest stays", (_form, form) =>
    withObjects(async (client) => {
      const read = await readParts(client, "protobuf", []);
      await write({ client, ...made(read, form) });
      await expectUnharmed(client);
    }),
  );
});

test("FIELDS-metadata: lists, walks, watches and informers refuse it as single reads do", () =>
  withObjects(async (client) => {
    const maps = mapsOf(client);
    const fields = ["data"] as const;
    for (const encoding of encodings) {
      const found: { readonly metadata: object }[] = [];
      found.push(...(await maps.list({ fields, encoding })).items);
      for await (const item of maps.items({ fields, encoding })) {
        found.push(item);
      }
      for await (const event of maps.watch({ fields, encoding, resourceVersion: "0" })) {
        if (event.type === "ADDED") {
          found.push(event.object);
          break;
        }
      }
      await using informer = client.informer(ConfigMap, { fields, encoding });
      await using transformed = client.informer(ConfigMap, {
        fields,
        encoding,
        transform: (map) => ({ ...map, metadata: { ...map.metadata } }),
      });
      await using frozen = client.informer(ConfigMap, { fields, encoding, freeze: true });
      await Promise.all([informer.synced(), transformed.synced(), frozen.synced()]);
      for (const one of [informer, transformed, frozen]) {
        found.push(...one.list());
      }
      informer.mutated(await maps.get("a"));
      found.push(...informer.list());
      expect(found.length).toBeGreaterThanOrEqual(7);
      for (const { metadata } of found) {
        await expect(maps.update({ metadata } as never)).rejects.toThrow(
          /the metadata of the ConfigMap was read with `fields`/,
        );
      }
    }
    await expectUnharmed(client);
  }));

test("FIELDS-metadata: mutated leaves the caller's object as it is, also with managedFields", () =>
  withObjects(async (client) => {
    const maps = mapsOf(client);
    const whole = await maps.get("a");
    for (const managedFields of [false, true]) {
      for (const fields of [["data"], ["metadata"], ["metadata.labels"]] as const) {
        await using informer = client.informer(ConfigMap, {
          namespace: "default",
          fields: fields as never,
          managedFields,
        });
        await informer.synced();
        informer.mutated(whole as never);
      }
    }
    const { metadata, data } = await maps.update({ ...whole, data: { a: "2" } });
    expect({ metadata, data }).toMatchObject({ metadata: own, data: { a: "2" } });
  }));

test("FIELDS-metadata: a copy of the metadata is not recognized, as the documentation says", () =>
  withObjects(async (client) => {
    const { map } = await readParts(client, "json", []);
    const { metadata } = await mapsOf(client).update({
      metadata: { ...(map as Kept).metadata, finalizers: [] },
      data: { a: "2" },
    });
    expect(metadata.labels).toBeUndefined();
  }));
