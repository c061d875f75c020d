import { deepStrictEqual } from "node:assert/strict";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { projectBody, projectionOf } from "@typekube/core/internal";
import { type Client, defineResource, type Encoding, type ResourceDescriptor } from "typekube";
import { ConfigMap, Node, Pod } from "typekube/api/core/v1";
import { computedFields } from "typekube/fields";
import { describe, expect, test } from "vitest";

const encodings: readonly Encoding[] = ["json", "protobuf", "cbor"];
const pod = (name: string, labels: Record<string, string> = { app: "web" }): Pod => ({
  metadata: { name, labels, annotations: { "example.com/owner": "team-a", other: "x" } },
  spec: {
    nodeName: "node-1",
    containers: [
      { name: "main", image: "web:1" },
      { name: "side", image: "proxy:2", env: [{ name: "A", value: "1" }] },
    ],
  },
});

const ipLists = defineResource({ group: "example.com", version: "v1", kind: "IPList" });

async function withPods(
  use: (api: ApiServer, client: Client) => Promise<void>,
  resources: readonly ResourceDescriptor[] = [],
): Promise<void> {
  await using api = await startApiServer({ clock: "virtual", resources });
  await using client = await api.client();
  await client.resource(Node).create({ metadata: { name: "node-1" } });
  for (const name of ["a", "b", "c"]) {
    await client.resource(Pod, "default").create(pod(name));
  }
  await use(api, client);
}

describe.each(encodings)("fields, read as %s", (encoding) => {
  const fields = [
    "metadata.labels",
    'metadata.annotations["example.com/owner"]',
    "spec.containers.image",
    "status.phase",
  ] as const;

  test("get, find, list and items keep them and what identifies an object", () =>
    withPods(async (_api, client) => {
      const pods = client.resource(Pod, "default");
      const whole = await pods.get("a");
      const expected = projectBody(whole, projectionOf(fields));
      const got = await pods.get("a", { fields, encoding });
      deepStrictEqual(got, expected);
      expect(got).toMatchObject({
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: "a",
          namespace: "default",
          labels: { app: "web" },
          annotations: { "example.com/owner": "team-a" },
        },
        spec: { containers: [{ image: "web:1" }, { image: "proxy:2" }] },
        status: { phase: "Pending" },
      });
      expect(Object.keys(got.spec ?? {})).toEqual(["containers"]);
      deepStrictEqual(await pods.find("a", { fields, encoding }), expected);
      expect(await pods.find("none", { fields, encoding })).toBeUndefined();
      const { items } = await pods.list({ fields, encoding });
      deepStrictEqual(items[0], expected);
      const walked = [];
      for await (const item of pods.items({ fields, encoding, pageSize: 2 })) {
        walked.push(item);
      }
      deepStrictEqual(walked, items);
    }));

  test("an informer, follow and watchFrom keep them; a bookmark still ends the first snapshot", () =>
    withPods(async (_api, client) => {
      const pods = client.resource(Pod, "default");
      const { metadata } = await pods.list();
      await using informer = client.informer(Pod, { fields, encoding, namespace: "default" });
      await informer.synced();
      deepStrictEqual(informer.get("a"), projectBody(await pods.get("a"), projectionOf(fields)));
      expect(informer.health).toMatchObject({ fields, informers: 1, objects: 3 });
      await pods.patch("a", {
        type: "merge",
        mediaType: "application/merge-patch+json",
        body: { metadata: { labels: { app: "db" } } },
      } as never);
      await expect.poll(() => informer.get("a")?.metadata.labels).toEqual({ app: "db" });
      for await (const { object } of client.watchFrom(Pod, {
        fields,
        encoding,
        resourceVersion: metadata.resourceVersion ?? "",
      })) {
        expect(object.metadata.labels).toEqual({ app: "db" });
        expect(Object.keys(object.spec ?? {})).toEqual(["containers"]);
        break;
      }
    }));
});

test("a path that leads to no field names the nearest one, before anything is sent", () =>
  withPods(async (api, client) => {
    const pods = client.resource(Pod, "default");
    const before = api.requests.length;
    const wrong = ["spec.nodName"] as unknown as ["spec.nodeName"];
    await expect(pods.get("a", { fields: wrong })).rejects.toMatchObject({
      code: "InvalidArgument",
      message: expect.stringMatching(
        /Pod has no field spec\.nodName.*did you mean "spec\.nodeName"/s,
      ),
    });
    await expect(pods.list({ fields: wrong })).rejects.toMatchObject({ code: "InvalidArgument" });
    const into = ["metadata.name.length"] as unknown as ["metadata.name"];
    await expect(pods.get("a", { fields: into })).rejects.toThrow(/name.*no fields of its own/);
    const text = "spec" as unknown as ["spec"];
    await expect(pods.get("a", { fields: text })).rejects.toThrow(/fields.*array of paths/);
    const notAPath = ["spec..nodeName"] as unknown as ["spec"];
    await expect(pods.get("a", { fields: notAPath })).rejects.toThrow(/is not a path/);
    expect(api.requests.length).toBe(before);
    await expect(
      client.waitFor(Pod, "a", () => true, { fields: wrong, namespace: "default" }),
    ).rejects.toMatchObject({ code: "InvalidArgument" });
  }));

test("no call sends a projected object as a whole; patch, apply and delete by name work", () =>
  withPods(async (_api, client) => {
    const maps = client.resource(ConfigMap, "default");
    await maps.create({ metadata: { name: "settings" }, data: { a: "1", b: "2" } });
    const part = await maps.get("settings", { fields: ['data["a"]'] });
    const refusal = {
      code: "InvalidArgument",
      message: expect.stringMatching(/read with `fields`/),
    };
    await expect(maps.update(part as never)).rejects.toMatchObject(refusal);
    await expect(maps.create(part as never)).rejects.toMatchObject(refusal);
    await expect(maps.apply(part as never)).rejects.toMatchObject(refusal);
    await expect(client.apply(part as never)).rejects.toMatchObject(refusal);
    await expect(maps.modify("settings", () => part as never)).rejects.toMatchObject(refusal);
    const { items } = await maps.list({ fields: ["data"] });
    await expect(maps.update(items[0] as never)).rejects.toMatchObject(refusal);
    await maps.apply({ metadata: { name: part.metadata.name }, data: { c: "3" } });
    expect((await maps.get("settings")).data).toEqual({ a: "1", b: "2", c: "3" });
    await maps.delete(part.metadata.name);
  }));

test("modify reads whole objects, even when the options name fields", () =>
  withPods(async (_api, client) => {
    const maps = client.resource(ConfigMap, "default");
    await maps.create({ metadata: { name: "settings" }, data: { a: "1" }, immutable: false });
    const options = { fields: ["metadata.labels"] };
    await maps.modify(
      "settings",
      (map) => {
        map.data = { ...map.data, b: "2" };
      },
      options as object,
    );
    expect((await maps.get("settings")).data).toEqual({ a: "1", b: "2" });
  }));

test("an informer without the labels refuses to select by them", () =>
  withPods(async (_api, client) => {
    await using informer = client.informer(Pod, { fields: ["spec.nodeName"] });
    await informer.synced();
    expect(() => informer.list({ labelSelector: "app=web" })).toThrow(/add "metadata\.labels"/);
    await using labeled = client.informer(Pod, { fields: ["metadata.labels"] });
    await labeled.synced();
    expect(labeled.list({ labelSelector: "app=web" }).length).toBe(3);
  }));

test("unchanged: skip delivers no update of other fields, deliver each", () =>
  withPods(async (api, client) => {
    const pods = client.resource(Pod, "default");
    const seen: string[] = [];
    await using skipping = client.informer(Pod, { fields: ["metadata.labels"], unchanged: "skip" });
    await using all = client.informer(Pod, { fields: ["metadata.labels"] });
    skipping.onChange({ update: (after) => void seen.push(`skip ${after.metadata.name}`) });
    all.onChange({ update: (after) => void seen.push(`deliver ${after.metadata.name}`) });
    await all.synced();
    const written = await pods.modify("a", (draft) => {
      draft.metadata.annotations = { other: "y" };
    });
    await pods.modify("b", (draft) => {
      draft.metadata.labels = { app: "db" };
    });
    await api.settled();
    await expect.poll(() => seen).toContain("deliver b");
    expect(seen).toEqual(["deliver a", "skip b", "deliver b"]);
    expect(skipping.get("default/a")?.metadata.resourceVersion).toBe(
      written.metadata.resourceVersion,
    );
  }));

describe("informers of one kind share a watch", () => {
  const lists = (api: ApiServer) =>
    api.requests.filter(({ path, verb }) => path.includes("/pods") && verb !== "get").length;

  test("of the union of their fields when they start together", () =>
    withPods(async (api, client) => {
      const before = lists(api);
      await using nodes = client.informer(Pod, { fields: ["spec.nodeName"] });
      await using phases = client.informer(Pod, { fields: ["status.phase"] });
      await Promise.all([nodes.synced(), phases.synced()]);
      expect(nodes.health).toMatchObject({
        fields: ["spec.nodeName", "status.phase"],
        informers: 2,
      });
      expect(nodes.get("default/a")).toBe(phases.get("default/a"));
      expect(lists(api) - before).toBeLessThanOrEqual(2);
    }));

  test("of one that keeps more fields, and not of one that keeps fewer", () =>
    withPods(async (_api, client) => {
      await using large = client.informer(Pod, { fields: ["spec", "metadata.labels"] });
      await large.synced();
      await using small = client.informer(Pod, { fields: ["spec.nodeName"] });
      await using other = client.informer(Pod, { fields: ["status"] });
      await Promise.all([small.synced(), other.synced()]);
      expect(small.get("default/a")).toBe(large.get("default/a"));
      expect(other.get("default/a")).not.toBe(large.get("default/a"));
      expect(other.health.informers).toBe(1);
    }));

  test("of one with whole objects", () =>
    withPods(async (_api, client) => {
      await using whole = client.informer(Pod);
      await whole.synced();
      await using part = client.informer(Pod, { fields: ["spec.nodeName"] });
      await part.synced();
      expect(part.get("default/a")).toBe(whole.get("default/a"));
      expect(part.health.fields).toBeUndefined();
    }));
});

test("mutated shows what the informer keeps of a write", () =>
  withPods(async (_api, client) => {
    const pods = client.resource(Pod, "default");
    await using informer = client.informer(Pod, { fields: ["metadata.labels"] });
    await informer.synced();
    const written = await pods.modify("a", (draft) => {
      draft.metadata.labels = { app: "new" };
    });
    informer.mutated(written as never);
    deepStrictEqual(
      informer.get("default/a"),
      projectBody(written, projectionOf(["metadata.labels"])),
    );
  }));

describe("an informer with a wrong path", () => {
  const wrong = ["spec.nodename"] as unknown as ["spec.nodeName"];

  test("fails alone and at once; those that started with it go on", () =>
    withPods(async (_api, client) => {
      const errors: string[] = [];
      await using good = client.informer(Pod, { fields: ["spec.nodeName"] });
      await using bad = client.informer(Pod, {
        fields: wrong,
        onError: ({ message }) => void errors.push(message),
      });
      await expect(bad.synced()).rejects.toMatchObject({ code: "InvalidArgument" });
      await good.synced();
      expect(good.get("default/a")?.spec?.nodeName).toBe("node-1");
      expect(errors).toEqual([expect.stringContaining('did you mean "spec.nodeName"?')]);
      expect(bad.health.state).toBe("stopped");
      expect(() => bad.onChange({ add() {} })).toThrow(/spec\.nodename/);
    }));

  test("fails beside one of whole objects, too", () =>
    withPods(async (_api, client) => {
      await using whole = client.informer(Pod);
      await whole.synced();
      await using bad = client.informer(Pod, { fields: wrong, onError() {} });
      await expect.poll(() => bad.health.state).toBe("stopped");
    }));

  test("ends follow with the error", () =>
    withPods(async (_api, client) => {
      const read = async () => {
        for await (const event of client.follow(Pod, { fields: wrong, onError() {} })) {
          expect(event.type).not.toBe("gap");
        }
      };
      await expect(read()).rejects.toMatchObject({ code: "InvalidArgument" });
    }));
});

test("an object of a kind such as IPList has items of its own", () =>
  withPods(
    async (_api, client) => {
      const lists = client.resource({ apiVersion: "example.com/v1", kind: "IPList" }, "default");
      await lists.create({
        apiVersion: "example.com/v1",
        kind: "IPList",
        metadata: { name: "l", labels: { a: "b" } },
        items: [{ ip: "10.0.0.1", note: "x" }],
        spec: { x: 1, y: 2 },
      });
      for (const encoding of encodings) {
        const list = await lists.get("l", { fields: ["items.ip", "spec.x"], encoding });
        expect(list["items"]).toEqual([{ ip: "10.0.0.1" }]);
        expect(list["spec"]).toEqual({ x: 1 });
        expect(Object.keys(list.metadata)).not.toContain("labels");
      }
    },
    [ipLists],
  ));

test("a transform and mutated keep a projected object from being written", () =>
  withPods(async (_api, client) => {
    const maps = client.resource(ConfigMap, "default");
    const whole = await maps.create({ metadata: { name: "settings" }, data: { a: "1", b: "2" } });
    const refusal = {
      code: "InvalidArgument",
      message: expect.stringMatching(/read with `fields`/),
    };
    await using copied = client.informer(ConfigMap, {
      namespace: "default",
      fields: ['data["a"]'],
      transform: (map) => ({ ...map }),
    });
    await copied.synced();
    await expect(maps.update(copied.get("settings") as never)).rejects.toMatchObject(refusal);
    copied.mutated(whole);
    const part = await maps.get("settings", { fields: ["metadata.labels"] });
    expect(() => copied.mutated(part as never)).toThrow(/read with `fields`/);
    await expect(
      maps.modify("none", () => {}, { createIfMissing: part as never }),
    ).rejects.toMatchObject(refusal);
  }));

test("a path of more than 200 steps is refused", () => {
  expect(() => projectionOf([Array(201).fill("a").join(".")])).toThrow(
    /201 steps; the limit is 200/,
  );
});

test("computedFields keeps paths that are known at run time only, of any kind", () =>
  withPods(async (_api, client) => {
    const paths = ["spec", "nodeName"].join(".");
    async function kept<T extends Node | Pod>(type: ResourceDescriptor<T>, fields: string[]) {
      const { items } = await client.resource(type).list({ fields: computedFields(fields) });
      return items.map((item) => (item as { spec?: unknown }).spec);
    }
    expect(await kept(Pod, [paths])).toEqual(Array(3).fill({ nodeName: "node-1" }));
    expect(await kept(Node, ["spec.podCIDR"])).toEqual([{}]);
    await expect(kept(Node, [paths])).rejects.toThrow(/Node has no field spec\.nodeName/);
    expect(() => computedFields(["spec..nodeName"])).toThrow(/is not a path/);
    expect(() => computedFields("spec" as never)).toThrow(/must be an array of paths/);
    await using informer = client.informer(Pod, { fields: computedFields([paths]) });
    await informer.synced();
    expect(informer.get("default/a")).toMatchObject({ spec: { nodeName: "node-1" } });
    await expect(
      client.resource(Pod, "default").update(informer.get("default/a") as never),
    ).rejects.toThrow(/read with `fields`/);
  }));
