import { runPods } from "@typekube/apiserver/controllers";
import { call, mergePatch, pods } from "@typekube/test-support/api-calls";
import { describe, expect, it } from "vitest";
import { containers, items, jobs, names, type Server, start } from "./controlled-server.js";

const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const sets = "/apis/apps/v1/namespaces/default/statefulsets";
const namespaces = "/api/v1/namespaces";
const claim = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});
const all = { controllers: true, stages: runPods({ readyAfterMs: 0 }) };

async function status(api: Server, path: string): Promise<number> {
  return (await call(api, "GET", path)).status;
}

async function create(api: Server, path: string, body: object): Promise<void> {
  const response = await call(api, "POST", path, body);
  expect(response.status, response.text).toBe(201);
}

/** Fills a namespace with everything that the cluster's finalizers protect. */
async function fillNamespace(api: Server): Promise<void> {
  await create(api, namespaces, { metadata: { name: "shop" } });
  await create(api, `${namespaces}/shop/persistentvolumeclaims`, claim("data"));
  await create(api, `${namespaces}/shop/pods`, {
    metadata: { name: "p", finalizers: ["batch.kubernetes.io/job-tracking"] },
    spec: { containers },
  });
  await create(api, `${namespaces}/shop/configmaps`, { metadata: { name: "c" } });
  const foreground = "?propagationPolicy=Foreground";
  await call(api, "DELETE", `${namespaces}/shop/configmaps/c${foreground}`);
}

describe("the cluster's finalizers are removed again", () => {
  it.each([
    ["no controllers", undefined],
    ["only other controllers", { deployments: true, jobs: true }],
    ["the namespace controller", { namespaces: true, jobs: true, garbageCollection: true }],
    ["all controllers", true],
  ])("a namespace with a claim is deleted with %s", async (_, controllers) => {
    await using api = await start({ ...(controllers === undefined ? {} : { controllers }) });
    await fillNamespace(api);
    await call(api, "DELETE", `${namespaces}/shop`);
    await api.settled();
    expect(await status(api, `${namespaces}/shop`)).toBe(404);
    expect(await items(api, "/api/v1/persistentvolumeclaims")).toEqual([]);
  });

  it("without controllers, a namespace still waits for foreign finalizers", async () => {
    await using api = await start({});
    await create(api, namespaces, { metadata: { name: "shop" } });
    const path = `${namespaces}/shop/persistentvolumeclaims`;
    const { metadata, spec } = claim("data");
    await create(api, path, { metadata: { ...metadata, finalizers: ["shop.dev/backup"] }, spec });
    await call(api, "DELETE", `${namespaces}/shop`);
    const { body } = await call(api, "GET", `${path}/data`);
    expect(body.metadata.finalizers).toEqual(["shop.dev/backup"]);
    await call(api, "PATCH", `${path}/data`, { metadata: { finalizers: null } }, mergePatch);
    expect(await status(api, `${namespaces}/shop`)).toBe(404);
  });

  it("a namespace with running pods, claims and a Job is deleted with all controllers", async () => {
    await using api = await start({ controllers: true, stages: runPods() });
    await create(api, namespaces, { metadata: { name: "shop" } });
    const template = { metadata: { labels: { app: "a" } }, spec: { containers } };
    const selector = { matchLabels: { app: "a" } };
    const apps = "/apis/apps/v1/namespaces/shop";
    await create(api, `${apps}/deployments`, {
      metadata: { name: "web" },
      spec: { replicas: 2, selector, template },
    });
    await create(api, `${apps}/statefulsets`, {
      metadata: { name: "db" },
      spec: { serviceName: "db", selector, template, volumeClaimTemplates: [claim("data")] },
    });
    await create(api, jobs.replace("default", "shop"), {
      metadata: { name: "j" },
      spec: { template: { spec: { containers, restartPolicy: "Never" } } },
    });
    await api.clock.advance(1_500);
    expect(await items(api, `${namespaces}/shop/pods`)).toHaveLength(4);
    await call(api, "DELETE", `${namespaces}/shop`);
    await api.clock.advance(60_000);
    expect(await status(api, `${namespaces}/shop`)).toBe(404);
  });

  it("keeps a claim while a pod on a node uses it", async () => {
    await using api = await start(all);
    await create(api, claims, claim("data"));
    const volumes = [{ name: "d", persistentVolumeClaim: { claimName: "data" } }];
    await create(api, pods, { metadata: { name: "p" }, spec: { containers, volumes } });
    await api.settled();
    await call(api, "DELETE", `${claims}/data`);
    await api.settled();
    expect(await status(api, `${claims}/data`)).toBe(200);
    await call(api, "DELETE", `${pods}/p`);
    await api.settled();
    expect(await status(api, `${claims}/data`)).toBe(404);
  });

  it("a bound volume is deleted after its claim, a class after both", async () => {
    await using api = await start(all);
    const volumes = "/api/v1/persistentvolumes";
    const classes = "/apis/storage.k8s.io/v1/volumeattributesclasses";
    await create(api, classes, {
      metadata: { name: "gold" },
      driverName: "a.b",
      parameters: { iops: "1" },
    });
    const source = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
    const spec = { ...source, csi: { driver: "a.b", volumeHandle: "h" } };
    await create(api, claims, {
      ...claim("data"),
      spec: { ...claim("data").spec, volumeAttributesClassName: "gold" },
    });
    const claimRef = { namespace: "default", name: "data" };
    await create(api, volumes, { metadata: { name: "v" }, spec: { ...spec, claimRef } });
    await call(api, "PATCH", `${volumes}/v/status`, { status: { phase: "Bound" } }, mergePatch);
    await call(api, "DELETE", `${volumes}/v`);
    await call(api, "DELETE", `${classes}/gold`);
    await api.settled();
    expect([await status(api, `${volumes}/v`), await status(api, `${classes}/gold`)]).toEqual([
      200, 200,
    ]);
    await call(api, "DELETE", `${claims}/data`);
    await api.settled();
    expect([await status(api, `${volumes}/v`), await status(api, `${classes}/gold`)]).toEqual([
      404, 404,
    ]);
  });

  it.each([
    ["Retain", ["data-db-0"]],
    ["Delete", []],
  ])("claims of a deleted StatefulSet: %s", async (whenDeleted, left) => {
    await using api = await start(all);
    await create(api, sets, {
      metadata: { name: "db" },
      spec: {
        serviceName: "db",
        selector: { matchLabels: { app: "db" } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted },
        volumeClaimTemplates: [claim("data")],
        template: { metadata: { labels: { app: "db" } }, spec: { containers } },
      },
    });
    await api.settled();
    expect(await names(api, claims)).toEqual(["data-db-0"]);
    await call(api, "DELETE", `${sets}/db`);
    await api.settled();
    expect(await items(api, pods)).toEqual([]);
    expect(await names(api, claims)).toEqual(left);
    await call(api, "DELETE", claims);
    await api.settled();
    expect(await items(api, claims)).toEqual([]);
  });

  it("deletes the claims of pods that are scaled down with whenScaled: Delete", async () => {
    await using api = await start(all);
    await create(api, sets, {
      metadata: { name: "db" },
      spec: {
        serviceName: "db",
        replicas: 2,
        selector: { matchLabels: { app: "db" } },
        persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" },
        volumeClaimTemplates: [claim("data")],
        template: { metadata: { labels: { app: "db" } }, spec: { containers } },
      },
    });
    await api.settled();
    await call(api, "PATCH", `${sets}/db`, { spec: { replicas: 1 } }, mergePatch);
    await api.settled();
    expect(await names(api, claims)).toEqual(["data-db-0"]);
  });

  it.each(["Background", "Foreground", "Orphan"])(
    "deleting a Job does not leave its pod Terminating: %s",
    async (policy) => {
      await using api = await start({
        controllers: true,
        stages: runPods({ completeAfterMs: 1e6 }),
      });
      const template = { spec: { containers, restartPolicy: "Never" } };
      await create(api, jobs, { metadata: { name: "j" }, spec: { template } });
      await api.clock.advance(2_000);
      const [running] = await items(api, pods);
      expect(running.status.phase).toBe("Running");
      await call(api, "DELETE", `${jobs}/j?propagationPolicy=${policy}`);
      await api.settled();
      expect(await items(api, jobs)).toEqual([]);
      for (const { metadata } of await items(api, pods)) {
        expect(metadata.finalizers).toBeUndefined();
        await call(api, "DELETE", `${pods}/${metadata.name}`);
      }
      await api.settled();
      expect(await items(api, pods)).toEqual([]);
    },
  );
});
