import type { Live } from "@typekube/api";
import { ConfigMap, Node } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { defineController, keepFields, type Run, startManager } from "@typekube/controller";
import { type Client, mergePatch } from "typekube";
import { expect, test } from "vitest";

const own = {
  labels: { app: "web" },
  annotations: { "example.com/owner": "team-a" },
  finalizers: ["example.com/hold"],
};

const maps = keepFields(ConfigMap, ["data"]);

type MapsRun = Run<Node, typeof maps | typeof Node>;

/** Runs a function once within a run for a node, and returns its result. */
async function inRun<R>(
  use: (run: MapsRun, cached: Live<ConfigMap>, client: Client) => Promise<R>,
): Promise<R> {
  await using api = await startApiServer({ clock: "virtual", seed: 1 });
  await using client = await api.client();
  const all = client.resource(ConfigMap, "default");
  await all.create({ metadata: { name: "a", ...own }, data: { a: "1" } });
  await client.resource(Node).create({ metadata: { name: "n" } });
  const results: (R | Error)[] = [];
  const controller = defineController(Node, {
    owns: [maps],
    async reconcile(_node, run) {
      if (results.length === 0) {
        const cached = run.get(maps, "default/a") as unknown as Live<ConfigMap>;
        results.push(await use(run as never, cached, client).catch((error: Error) => error));
      }
    },
  });
  await using _manager = await startManager(client, { controllers: [controller], log() {} });
  await expect.poll(() => results.length).toBe(1);
  const [result] = results;
  if (result instanceof Error) {
    throw result;
  }
  return result as R;
}

test.each<[string, (run: MapsRun, cached: Live<ConfigMap>) => unknown]>([
  ["update", (run, { metadata }) => run.update(maps, { metadata, data: { a: "2" } })],
  ["update with a copy by spread", (run, cached) => run.update(maps, { ...cached, data: {} })],
  ["create", (run, { metadata }) => run.create(maps, { metadata, data: { a: "2" } })],
  ["apply", (run, { metadata }) => run.apply(maps, { metadata, data: { a: "2" } })],
  ["apply with a copy by spread", (run, cached) => run.apply(maps, { ...cached })],
  [
    "createOrUpdate",
    (run, { metadata }) =>
      run.createOrUpdate(maps, "default/a", (draft) => {
        draft.metadata = metadata;
        draft.data = { a: "2" };
      }),
  ],
])(
  "FIELDS-metadata: run.%s refuses the metadata of a cached object of some fields",
  (_name, write) =>
    inRun(async (run, cached, client) => {
      const failed = Promise.resolve().then(() => write(run, cached));
      await expect(failed).rejects.toMatchObject({
        code: "InvalidArgument",
        message: expect.stringMatching(
          /the metadata of the (ConfigMap|object for run.apply\(\)) was read with `fields`/,
        ),
      });
      expect(await client.resource(ConfigMap, "default").get("a")).toMatchObject({
        metadata: own,
        data: { a: "1" },
      });
    }),
);

test.each<[string, (run: MapsRun, cached: Live<ConfigMap>) => unknown]>([
  ["patch", (run, { metadata }) => run.patch(maps, "default/a", mergePatch({ metadata }))],
  ["delete", (run, cached) => run.delete(maps, cached)],
])("FIELDS-metadata: run.%s takes it, and the rest stays", (_name, write) =>
  inRun(async (run, cached, client) => {
    await write(run, cached);
    expect((await client.resource(ConfigMap, "default").get("a")).metadata).toMatchObject(own);
  }),
);

test("FIELDS-metadata: run.apply refuses a cached object of some fields, as the types do", () =>
  inRun(async (run, cached) => {
    await expect(run.apply(maps, cached)).rejects.toThrow(/run\.apply\(\) was read with `fields`/);
  }));

test("FIELDS-metadata: what run.apply returns is refused like a cached object; what run.update returns is whole", () =>
  inRun(async (run, _cached, client) => {
    const { metadata } = await run.apply(maps, { metadata: { name: "b", namespace: "default" } });
    await expect(run.update(maps, { metadata: metadata as never, data: {} })).rejects.toThrow(
      /the metadata of the ConfigMap was read with `fields`/,
    );
    const whole = await client.resource(ConfigMap, "default").get("a");
    const written = await run.update(maps, { ...whole, data: { a: "2" } });
    await run.update(maps, { metadata: written.metadata, data: { a: "3" } });
    expect(await client.resource(ConfigMap, "default").get("a")).toMatchObject({
      metadata: own,
      data: { a: "3" },
    });
  }));
