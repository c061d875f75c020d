import {
  applyPatch,
  call,
  configMaps,
  deployments,
  type Json,
  mergePatch,
} from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

type Api = Awaited<ReturnType<typeof startApiServer>>;

const object = (data?: unknown, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...more },
  data,
});

function apply(api: Api, manager: string, body: unknown, force = false) {
  return call(
    api,
    "PATCH",
    `${configMaps}/a?fieldManager=${manager}${force ? "&force=true" : ""}`,
    body,
    applyPatch,
  );
}

const owners = (body: Json) =>
  body.metadata.managedFields?.map((entry: Json) => [
    entry.manager,
    entry.operation,
    entry.fieldsV1,
  ]) ?? [];

describe("ownership", () => {
  test("SSA7, SSA16: an apply without an existing object creates it with 201 and an Apply entry", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const { status, body } = await apply(api, "m1", object({ k: "1" }));
    expect(status).toBe(201);
    expect(body.metadata.managedFields).toEqual([
      {
        manager: "m1",
        operation: "Apply",
        apiVersion: "v1",
        time: "2026-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:k": {} } },
      },
    ]);
    expect((await apply(api, "m1", object({ k: "2" }))).status).toBe(200);
  });

  test("SSA8: another value for a field of another manager is a conflict, reported as on a real server", async () => {
    await using api = await startApiServer();
    await apply(api, "m1", object({ k: "1", s: "x" }));
    await call(api, "PATCH", `${configMaps}/a`, { data: { s: "upd" } }, mergePatch);
    const one = await apply(api, "m2", object({ k: "2" }));
    expect(one.body).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "m1": .data.k',
      reason: "Conflict",
      details: {
        causes: [
          { reason: "FieldManagerConflict", message: 'conflict with "m1"', field: ".data.k" },
        ],
      },
      code: 409,
    });
    const two = await apply(api, "m2", object({ k: "2", s: "upd2" }));
    expect(two.body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "kc" using v1:\n- .data.s\nconflicts with "m1":\n- .data.k',
    );
    expect(two.body.details.causes.map((cause: Json) => cause.field)).toEqual([
      ".data.k",
      ".data.s",
    ]);
  });

  test("SSA9: force takes the field from all other managers", async () => {
    await using api = await startApiServer();
    await apply(api, "m1", object({ k: "1" }));
    const { body } = await apply(api, "m2", object({ k: "2" }), true);
    expect(body.data).toEqual({ k: "2" });
    expect(owners(body)).toEqual([["m2", "Apply", { "f:data": { "f:k": {} } }]]);
  });

  test("SSA11, SSA12, SSA13: equal values share ownership, one owner's change conflicts, dropping a field keeps its value", async () => {
    await using api = await startApiServer();
    await apply(api, "m1", object({ k: "1" }));
    expect(owners((await apply(api, "m2", object({ k: "1" }))).body)).toHaveLength(2);
    expect((await apply(api, "m1", object({ k: "2" }))).status).toBe(409);
    const { body } = await apply(api, "m1", object());
    expect([body.data, owners(body).map(([name]: string[]) => name)]).toEqual([{ k: "1" }, ["m2"]]);
  });

  test("SSA6, SSA14: removes a field that its only owner no longer applies", async () => {
    await using api = await startApiServer();
    await apply(api, "m1", object({ k: "1", s: "x" }));
    expect((await apply(api, "m1", object({ k: "1" }))).body.data).toEqual({ k: "1" });
    const { body } = await apply(api, "m1", { apiVersion: "v1", kind: "ConfigMap" });
    expect([body.data, owners(body)]).toEqual([undefined, []]);
  });

  test("SSA15: an update never conflicts and takes over what it changes", async () => {
    await using api = await startApiServer();
    await apply(api, "m1", object({ k: "1", s: "x" }));
    const { body } = await call(api, "PATCH", `${configMaps}/a`, { data: { s: "y" } }, mergePatch);
    expect(owners(body)).toEqual([
      ["m1", "Apply", { "f:data": { "f:k": {} } }],
      ["kc", "Update", { "f:data": { "f:s": {} } }],
    ]);
  });

  test("SSA18, SSA19, SSA20: [{}] and [] reset, a missing key keeps; the next apply finds before-first-apply", async () => {
    await using api = await startApiServer();
    for (const managedFields of [[{}], []]) {
      await apply(api, "m1", object({ k: "1" }), true);
      expect(
        owners(
          (await call(api, "PATCH", `${configMaps}/a`, { metadata: { managedFields } }, mergePatch))
            .body,
        ),
      ).toEqual([]);
    }
    const { body } = await apply(api, "m2", object({ z: "1" }));
    expect(owners(body).map(([name]: string[]) => name)).toEqual(["m2", "before-first-apply"]);
    const kept = await call(api, "PUT", `${configMaps}/a`, {
      metadata: { name: "a" },
      data: body.data,
    });
    expect(owners(kept.body)).toEqual(owners(body));
  });

  test("SSA3: every write records its manager: the parameter, or the user agent up to the slash", async () => {
    await using api = await startApiServer();
    const { body } = await call(api, "POST", `${configMaps}?fieldManager=me`, {
      metadata: { name: "a" },
      data: { a: "1" },
    });
    expect(owners(body)).toEqual([["me", "Update", { "f:data": { ".": {}, "f:a": {} } }]]);
    const patched = await call(
      api,
      "PATCH",
      `${configMaps}/a`,
      { data: { b: "1" } },
      { ...mergePatch, "user-agent": "tool/v1 (linux)" },
    );
    expect(owners(patched.body)[1]).toEqual(["tool", "Update", { "f:data": { "f:b": {} } }]);
  });
});

describe("typed lists", () => {
  const deployment = (yaml: string) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: ${yaml}`;

  test("SSA26, SSA30: items of a keyed list have separate owners, as in a recorded session", async () => {
    await using api = await startApiServer();
    const send = (query: string, yaml: string) =>
      call(api, "PATCH", `${deployments}/d?fieldManager=${query}`, deployment(yaml), applyPatch);
    const created = await send(
      "m1",
      "{replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i1, ports: [{containerPort: 80}]}]}}}",
    );
    expect(created.body.metadata.managedFields[0].fieldsV1["f:spec"]).toEqual({
      "f:replicas": {},
      "f:selector": {},
      "f:template": {
        "f:metadata": { "f:labels": { "f:a": {} } },
        "f:spec": {
          "f:containers": {
            'k:{"name":"c"}': {
              ".": {},
              "f:image": {},
              "f:name": {},
              "f:ports": {
                'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:containerPort": {} },
              },
            },
          },
        },
      },
    });
    const wanted = "{replicas: 2, template: {spec: {containers: [{name: c, image: i2}]}}}";
    const refused = await send("m2", wanted);
    expect(refused.body.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.replicas\n- .spec.template.spec.containers[name="c"].image',
    );
    const forced = await send("m2&force=true", wanted);
    expect(forced.body.spec.template.spec.containers).toMatchObject([
      { name: "c", image: "i2", ports: [{ containerPort: 80, protocol: "TCP" }] },
    ]);
    const dropped = await send(
      "m1",
      "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c}]}}}",
    );
    const [kept] = dropped.body.spec.template.spec.containers;
    expect(kept).toMatchObject({ name: "c", image: "i2" });
    expect(kept.ports).toBeUndefined();
    expect(dropped.body.spec.replicas).toBe(2);
  });
});

test("SSA40: status has separate owners", async () => {
  await using api = await startApiServer();
  const spec = { containers: [{ name: "c", image: "i" }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" } };
  const path = "/api/v1/namespaces/default/pods/p";
  await call(api, "PATCH", `${path}?fieldManager=m`, { ...pod, spec }, applyPatch);
  const status = { phase: "Running", podIP: "10.0.0.1" };
  const { body } = await call(
    api,
    "PATCH",
    `${path}/status?fieldManager=m`,
    { ...pod, spec: { nodeName: "n" }, status },
    applyPatch,
  );
  expect([body.status.podIP, body.spec.nodeName]).toEqual(["10.0.0.1", undefined]);
  expect(
    body.metadata.managedFields.map((entry: Json) => [entry.subresource, entry.fieldsV1]),
  ).toEqual([
    [
      undefined,
      {
        "f:spec": {
          "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:image": {}, "f:name": {} } },
        },
      },
    ],
    ["status", { "f:status": { "f:phase": {}, "f:podIP": {} } }],
  ]);
});

describe("rejections", () => {
  test.each([
    [
      "?fieldManager=m",
      object(undefined, { managedFields: [] }),
      400,
      "metadata.managedFields must be nil",
    ],
    [
      "",
      object(),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      "?fieldManager=m",
      { apiVersion: "v1", kind: "ConfigMap" },
      400,
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    ],
    [
      "?fieldManager=m",
      { apiVersion: "v1", kind: "Secret" },
      400,
      "invalid object type: /v1, Kind=Secret",
    ],
    [
      "?fieldManager=m",
      { ...object(), datum: {} },
      500,
      "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .datum: field not declared in schema",
    ],
  ])(
    "SSA2, SSA5, SSA17, SSA22: rejects an apply with the query %s and the body %j: %d",
    async (query, body, status, message) => {
      await using api = await startApiServer();
      const response = await call(api, "PATCH", `${configMaps}/a${query}`, body, applyPatch);
      expect([response.status, response.body.message]).toEqual([status, message]);
    },
  );

  test("SSA9: force on another patch is 422", async () => {
    await using api = await startApiServer();
    expect((await call(api, "PATCH", `${configMaps}/a?force=true`, {}, mergePatch)).status).toBe(
      422,
    );
  });

  test("SSA36: a stale resourceVersion is a Conflict even with force", async () => {
    await using api = await startApiServer();
    await apply(api, "m1", object({ k: "1" }));
    const { status, body } = await apply(
      api,
      "m1",
      object({ k: "2" }, { resourceVersion: "1" }),
      true,
    );
    expect([status, body.details.causes]).toEqual([409, undefined]);
  });
});
