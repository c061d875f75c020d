import {
  call,
  configMaps,
  createConfigMaps,
  deployments,
  type Json,
  jsonPatch,
  mergePatch,
  pods,
  strategicPatch,
  watch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const container = { name: "c", image: "i" };

describe("create", () => {
  test("ES5: generated names have five letters and repeat with the seed", async () => {
    const names: string[] = [];
    for (const seed of [7, 7, 8]) {
      await using api = await startApiServer({ seed });
      const { body } = await call(api, "POST", configMaps, { metadata: { generateName: "g-" } });
      expect(body.metadata.name).toMatch(/^g-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      names.push(body.metadata.name, body.metadata.uid);
    }
    expect(names.slice(0, 2)).toEqual(names.slice(2, 4));
    expect(names.slice(0, 2)).not.toEqual(names.slice(4));
  });

  test("GRP14: a duplicate name in one namespace is AlreadyExists, in another namespace it is accepted", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const { status, body } = await call(api, "POST", configMaps, { metadata: { name: "a" } });
    expect(status).toBe(409);
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "a" already exists',
      reason: "AlreadyExists",
      details: { name: "a", kind: "configmaps" },
      code: 409,
    });
    expect(
      (
        await call(api, "POST", "/api/v1/namespaces/kube-system/configmaps", {
          metadata: { name: "a" },
        })
      ).status,
    ).toBe(201);
  });

  test.each([
    [
      "a resourceVersion",
      { metadata: { name: "a", resourceVersion: "5" } },
      500,
      "resourceVersion should not be set on objects to be created",
    ],
    [
      "another namespace",
      { metadata: { name: "a", namespace: "x" } },
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "no name",
      { metadata: {} },
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      "another kind",
      { kind: "Secret", apiVersion: "v1", metadata: { name: "a" } },
      400,
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      "a number instead of a string",
      { metadata: { name: "a" }, data: { a: 1 } },
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      "an invalid name",
      { metadata: { name: "Bad_Name" } },
      422,
      `ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  ])(
    "rejects an object with %s with the message of a real server",
    async (_, object, status, message) => {
      await using api = await startApiServer();
      const response = await call(api, "POST", configMaps, object);
      expect([response.status, response.body.message]).toEqual([status, message]);
    },
  );

  test("a missing namespace is 404", async () => {
    await using api = await startApiServer();
    const { status, body } = await call(api, "POST", "/api/v1/namespaces/nope/configmaps", {
      metadata: { name: "a" },
    });
    expect([status, body.message]).toEqual([404, 'namespaces "nope" not found']);
  });

  test("FLD4, FLD5: drops an unknown field with a warning, or rejects it under Strict", async () => {
    await using api = await startApiServer();
    const object = { metadata: { name: "a" }, datum: {} };
    const warned = await call(api, "POST", configMaps, object);
    expect(warned.headers["warning"]).toBe('299 - "unknown field \\"datum\\""');
    expect(warned.body).not.toHaveProperty("datum");
    const strict = await call(api, "POST", `${configMaps}?fieldValidation=Strict`, object);
    expect([strict.status, strict.body.message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "datum"',
    ]);
  });

  test("DRY5, DRY6: dryRun returns the object and stores nothing", async () => {
    await using api = await startApiServer();
    const before = api.resourceVersion;
    const { status, body } = await call(api, "POST", `${configMaps}?dryRun=All`, {
      metadata: { generateName: "g-" },
    });
    expect([status, body.metadata.resourceVersion]).toEqual([201, undefined]);
    expect(api.resourceVersion).toBe(before);
    expect(
      (await call(api, "POST", `${configMaps}?dryRun=`, { metadata: { name: "a" } })).status,
    ).toBe(422);
  });

  test("a key named __proto__ is an ordinary key", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, '{"metadata":{"name":"a"},"data":{"__proto__":"x"}}');
    await call(api, "PATCH", `${configMaps}/a`, { data: { b: "2" } }, mergePatch);
    const { text } = await call(api, "GET", `${configMaps}/a`);
    expect(text).toContain('"data":{"__proto__":"x","b":"2"}');
  });

  test("a new pod is Pending, without the status that was sent", async () => {
    await using api = await startApiServer();
    const { body } = await call(api, "POST", pods, {
      metadata: { name: "p" },
      spec: { containers: [container] },
      status: { phase: "Running" },
    });
    expect(body.status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    expect(
      (await call(api, "POST", pods, { metadata: { name: "q" }, spec: {} })).body.message,
    ).toBe('Pod "q" is invalid: spec.containers: Required value');
  });
});

describe("update", () => {
  test("UPD1: a stale resourceVersion is a Conflict with the exact message", async () => {
    await using api = await startApiServer();
    const [created] = await createConfigMaps(api, "a");
    await call(api, "PUT", `${configMaps}/a`, { ...created, data: { x: "1" } });
    const { status, body } = await call(api, "PUT", `${configMaps}/a`, {
      ...created,
      data: { x: "2" },
    });
    expect([status, body.reason, body.message]).toEqual([
      409,
      "Conflict",
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ]);
  });

  test("UPD2, GRP19: without a resourceVersion a ConfigMap is overwritten, a Lease is not, but PUT creates a Lease", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    expect(
      (await call(api, "PUT", `${configMaps}/a`, { metadata: { name: "a" }, data: { x: "1" } }))
        .status,
    ).toBe(200);
    expect(
      (await call(api, "PUT", `${configMaps}/nope`, { metadata: { name: "nope" } })).status,
    ).toBe(404);
    const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
    expect((await call(api, "PUT", lease, { metadata: { name: "l" } })).status).toBe(201);
    const refused = await call(api, "PUT", lease, { metadata: { name: "l" } });
    expect([refused.status, refused.body.details.causes[0].message]).toEqual([
      422,
      "Invalid value: 0: must be specified for an update",
    ]);
  });

  test.each([
    [
      "another name",
      { metadata: { name: "b" } },
      400,
      "the name of the object (b) does not match the name on the URL (a)",
    ],
    [
      "no name",
      { metadata: {} },
      400,
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    ],
    [
      "another uid",
      { metadata: { name: "a", uid: "x" } },
      409,
      "Precondition failed: UID in precondition: x",
    ],
  ])("an update rejects an object with %s", async (_, object, status, message) => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const response = await call(api, "PUT", `${configMaps}/a`, object);
    expect(response.status).toBe(status);
    expect(response.body.message).toContain(message);
  });

  test("ES6: a write without changes gets no new resourceVersion and no event", async () => {
    await using api = await startApiServer();
    const [created] = await createConfigMaps(api, "a");
    const before = api.resourceVersion;
    expect((await call(api, "PUT", `${configMaps}/a`, created)).body).toEqual(created);
    await call(api, "PATCH", `${configMaps}/a`, {}, mergePatch);
    expect(api.resourceVersion).toBe(before);
  });

  test("ES6: metadata set by the server is immutable", async () => {
    await using api = await startApiServer();
    const [created] = await createConfigMaps(api, "a");
    const forged = { name: "a", creationTimestamp: null, generation: 7, selfLink: "/x" };
    const { body } = await call(api, "PUT", `${configMaps}/a`, {
      metadata: forged,
      data: { a: "2" },
    });
    expect(body.metadata).toMatchObject({
      uid: created.metadata.uid,
      creationTimestamp: created.metadata.creationTimestamp,
    });
    expect(body.metadata).not.toHaveProperty("generation");
  });

  test("ES10, ES11: generation counts changes of the spec; status changes only through its subresource", async () => {
    await using api = await startApiServer();
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [container] } };
    await call(api, "POST", deployments, {
      metadata: { name: "d" },
      spec: { selector: { matchLabels: { a: "b" } }, template },
    });
    const patch = async (path: string, body: unknown) =>
      (await call(api, "PATCH", `${deployments}/d${path}`, body, mergePatch)).body;
    expect(
      (await patch("", { metadata: { labels: { x: "y" } }, status: { replicas: 9 } })).metadata
        .generation,
    ).toBe(1);
    expect((await patch("", { spec: { replicas: 3 } })).metadata.generation).toBe(2);
    expect((await patch("", { metadata: { annotations: { x: "y" } } })).metadata.generation).toBe(
      3,
    );
    const status = await patch("/status", { status: { replicas: 3 }, spec: { replicas: 9 } });
    expect([status.metadata.generation, status.spec.replicas, status.status.replicas]).toEqual([
      3, 3, 3,
    ]);
    const scale = await call(api, "PUT", `${deployments}/d/scale`, {
      metadata: { name: "d" },
      spec: { replicas: 5 },
    });
    expect(scale.body).toMatchObject({
      kind: "Scale",
      spec: { replicas: 5 },
      status: { replicas: 3, selector: "a=b" },
    });
  });
});

describe("delete", () => {
  test("DEL1, DEL4: an object with finalizers stays until the last one is removed", async () => {
    await using api = await startApiServer();
    const events = await watch(api, `${configMaps}?watch=1`);
    await call(api, "POST", configMaps, { metadata: { name: "a", finalizers: ["x.io/f"] } });
    const begun = await call(api, "DELETE", `${configMaps}/a`);
    expect(begun.status).toBe(200);
    expect(begun.body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 0,
      finalizers: ["x.io/f"],
    });
    const more = await call(
      api,
      "PATCH",
      `${configMaps}/a`,
      { metadata: { finalizers: ["x.io/f", "x.io/g"] } },
      mergePatch,
    );
    expect([more.status, more.body.details.causes[0].message]).toEqual([
      422,
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/g"}',
    ]);
    expect(
      (await call(api, "PATCH", `${configMaps}/a`, { metadata: { finalizers: null } }, mergePatch))
        .status,
    ).toBe(200);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
    expect(await events.take(3)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
    await events.stop();
  });

  test("ES9: deleting a ConfigMap returns a Status, deleting a pod its last state", async () => {
    await using api = await startApiServer();
    const [created] = await createConfigMaps(api, "a");
    expect((await call(api, "DELETE", `${configMaps}/a`)).body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: created.metadata.uid },
    });
    await call(api, "POST", pods, { metadata: { name: "p" }, spec: { containers: [container] } });
    expect((await call(api, "DELETE", `${pods}/p`)).body.kind).toBe("Pod");
  });

  test("DEL12: failed preconditions are a Conflict", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    for (const preconditions of [{ uid: "0" }, { resourceVersion: "1" }]) {
      const { status, body } = await call(api, "DELETE", `${configMaps}/a`, { preconditions });
      expect([status, body.reason]).toEqual([409, "Conflict"]);
      expect(body.message).toContain('Operation cannot be fulfilled on ConfigMap "a": the ');
    }
  });

  test("DEL11: an unknown policy is 422; Orphan and Foreground add their finalizers", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    expect((await call(api, "DELETE", `${configMaps}/a?propagationPolicy=Foo`)).status).toBe(422);
    expect(
      (await call(api, "DELETE", `${configMaps}/a?propagationPolicy=Orphan`)).body.metadata
        .finalizers,
    ).toEqual(["orphan"]);
    expect(
      (await call(api, "DELETE", `${configMaps}/b?propagationPolicy=Foreground`)).body.metadata
        .finalizers,
    ).toEqual(["foregroundDeletion"]);
  });

  test("DRY3: a delete with a body ignores the query", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    await call(api, "DELETE", `${configMaps}/a?dryRun=All`);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(200);
    await call(api, "DELETE", `${configMaps}/a?dryRun=All`, { propagationPolicy: "Background" });
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
  });

  test("GRP31: deletecollection deletes the selected objects one by one", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, { metadata: { name: "a", labels: { x: "y" } } });
    await call(api, "POST", configMaps, {
      metadata: { name: "b", labels: { x: "y" }, finalizers: ["x.io/f"] },
    });
    await createConfigMaps(api, "c");
    const { body } = await call(api, "DELETE", `${configMaps}?labelSelector=x%3Dy`);
    expect([body.kind, body.items.length]).toEqual(["ConfigMapList", 2]);
    const left = (await call(api, "GET", configMaps)).body.items;
    expect(
      left.map((item: Json) => [item.metadata.name, item.metadata.deletionTimestamp !== undefined]),
    ).toEqual([
      ["b", true],
      ["c", false],
    ]);
  });

  test("GRP24: deleting a namespace deletes its objects, then itself, and waits for finalizers", async () => {
    await using api = await startApiServer();
    await call(api, "POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    const inside = "/api/v1/namespaces/n/configmaps";
    await call(api, "POST", inside, { metadata: { name: "a" } });
    await call(api, "POST", inside, { metadata: { name: "b", finalizers: ["x.io/f"] } });
    expect((await call(api, "DELETE", "/api/v1/namespaces/n")).body.status.phase).toBe(
      "Terminating",
    );
    expect((await call(api, "GET", `${inside}/a`)).status).toBe(404);
    const refused = await call(api, "POST", inside, { metadata: { name: "c" } });
    expect([refused.status, refused.body.details.causes[0].reason]).toEqual([
      403,
      "NamespaceTerminating",
    ]);
    await call(api, "PATCH", `${inside}/b`, { metadata: { finalizers: [] } }, mergePatch);
    expect((await call(api, "GET", "/api/v1/namespaces/n")).status).toBe(404);
  });
});

describe("patch", () => {
  test("UPD10: a merge patch removes with null and replaces lists", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { a: "1", b: "2" } });
    const { body } = await call(
      api,
      "PATCH",
      `${configMaps}/a`,
      { data: { a: null, c: "3" } },
      mergePatch,
    );
    expect(body.data).toEqual({ b: "2", c: "3" });
    expect((await call(api, "PATCH", `${configMaps}/nope`, {}, mergePatch)).status).toBe(404);
  });

  test("UPD7: a failed test is 422 and changes nothing; test null passes for a missing key", async () => {
    await using api = await startApiServer();
    await call(api, "POST", configMaps, { metadata: { name: "a" }, data: { a: "1" } });
    const failing = [
      { op: "replace", path: "/data/a", value: "2" },
      { op: "test", path: "/data/a", value: "1" },
    ];
    const { status, body } = await call(api, "PATCH", `${configMaps}/a`, failing, jsonPatch);
    expect([status, body.message]).toEqual([
      422,
      "the server rejected our request due to an error in our request",
    ]);
    const passing = [
      { op: "test", path: "/data/missing", value: null },
      { op: "add", path: "/data/x.y", value: "3" },
    ];
    expect((await call(api, "PATCH", `${configMaps}/a`, passing, jsonPatch)).body.data).toEqual({
      a: "1",
      "x.y": "3",
    });
  });

  test("UPD12, UPD15: a stale resourceVersion in a patch is a Conflict, If-Match is ignored", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    expect(
      (
        await call(
          api,
          "PATCH",
          `${configMaps}/a`,
          { metadata: { resourceVersion: "1" } },
          mergePatch,
        )
      ).status,
    ).toBe(409);
    expect(
      (await call(api, "PATCH", `${configMaps}/a`, {}, { ...mergePatch, "if-match": "1" })).status,
    ).toBe(200);
  });

  test("UPD6: PATCH as application/json is 415", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    expect((await call(api, "PATCH", `${configMaps}/a`, {})).status).toBe(415);
  });

  test("ES7: a strategic merge patch merges by key, deletes, orders and retains keys", async () => {
    await using api = await startApiServer();
    const ports = [
      { containerPort: 80, protocol: "TCP" },
      { containerPort: 81, protocol: "TCP" },
    ];
    const labels = { app: "a" };
    await call(api, "POST", deployments, {
      metadata: { name: "d", finalizers: ["e.com/f", "e.com/g"] },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [{ name: "c", image: "i", ports }],
            volumes: [
              { name: "v", emptyDir: {} },
              { name: "w", emptyDir: {} },
            ],
          },
        },
      },
    });
    const changes = {
      "$setElementOrder/containers": [{ name: "new" }, { name: "c" }],
      containers: [
        { name: "new", image: "j" },
        { name: "c", ports: [{ $patch: "delete", containerPort: 80 }] },
      ],
      volumes: [
        { $patch: "delete", name: "w" },
        { name: "v", $retainKeys: ["name", "hostPath"], hostPath: { path: "/x" } },
      ],
    };
    const patch = {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["e.com/f"] },
      spec: { template: { spec: changes } },
    };
    const { body } = await call(api, "PATCH", `${deployments}/d`, patch, strategicPatch);
    expect(body.metadata.finalizers).toEqual(["e.com/g"]);
    const { containers, volumes } = body.spec.template.spec;
    expect(containers).toMatchObject([
      { name: "new", image: "j" },
      { name: "c", image: "i", ports: [ports[1]] },
    ]);
    expect(containers[0].ports).toBeUndefined();
    expect(volumes).toEqual([{ name: "v", hostPath: { path: "/x", type: "" } }]);
  });

  test("a pod's spec is immutable, except images, deadlines and additional tolerations", async () => {
    await using api = await startApiServer();
    const container = { name: "c", image: "i" };
    const tolerations = [{ key: "k", operator: "Exists" }];
    await call(api, "POST", pods, {
      metadata: { name: "p" },
      spec: { containers: [container], tolerations },
    });
    const change = async (spec: object) =>
      (await call(api, "PATCH", `${pods}/p`, { spec }, mergePatch)).status;
    expect(await change({ containers: [{ ...container, image: "j" }] })).toBe(200);
    expect(await change({ activeDeadlineSeconds: 5 })).toBe(200);
    expect(await change({ tolerations: [{ key: "l", operator: "Exists" }, ...tolerations] })).toBe(
      200,
    );
    expect(await change({ tolerations: [] })).toBe(422);
    expect(await change({ nodeName: "n" })).toBe(422);
    expect(await change({ containers: [{ ...container, command: ["x"] }] })).toBe(422);
  });
});
