import type { Review } from "@typekube/apiserver";
import { call, type Json } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import {
  configMaps,
  createConfigMap,
  mutating,
  patchOf,
  pods,
  register,
  reply,
  rule,
  startWith,
  webhook,
} from "./configurations.js";

/** Returns a patch that sets a key of the data of a ConfigMap that has data. */
const set = (key: string, value: string) => ({ op: "add", path: `/data/${key}`, value });

const replicaSet = (replicas: number) => ({
  metadata: { name: "web" },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
  },
});

describe("mutating webhooks", () => {
  test("CT9: a webhook changes a new object before it is stored, and owns no field", async () => {
    await using api = await startWith((review) =>
      reply(review, patchOf({ op: "add", path: "/data", value: { from: "hook" } })),
    );
    await register(api, mutating, webhook("a"));
    const { status, body } = await createConfigMap(api, "x");
    expect(status).toBe(201);
    expect(body.data).toEqual({ from: "hook" });
    expect(body.metadata.managedFields).toBeUndefined();
    const stored = await call(api, "GET", `${configMaps}/x`);
    expect(stored.body).toEqual(body);
  });

  test("CT9: webhooks run one after the other, by the names of their configurations", async () => {
    await using api = await startWith((review, { path }) => {
      const { data } = review.request.object as Json;
      return reply(review, patchOf(set("order", `${data.order}${path}`)));
    });
    for (const name of ["b", "a"]) {
      const webhooks = [webhook(`${name}-1`), webhook(`${name}-2`)];
      await call(api, "POST", mutating, { metadata: { name }, webhooks });
    }
    const { body } = await createConfigMap(api, "x", { data: { order: "" } });
    expect(body.data.order).toBe("/a-1/a-2/b-1/b-2");
  });

  test("CT9: webhooks see a new object without uid, creation time and generated name", async () => {
    const reviews: Review[] = [];
    await using api = await startWith((review) => {
      reviews.push(review);
      return reply(review, { allowed: true });
    });
    await register(api, mutating, webhook("a"));
    await call(api, "POST", configMaps, { metadata: { generateName: "x-" } });
    const request = reviews[0]?.request;
    expect(request?.name).toBeUndefined();
    expect(Object.keys(request?.object?.metadata ?? {})).toEqual([
      "generateName",
      "namespace",
      "managedFields",
    ]);
  });

  test("CT9: a webhook cannot change the metadata and the status that only the server sets", async () => {
    await using api = await startWith((review) =>
      reply(
        review,
        patchOf(
          { op: "add", path: "/metadata/uid", value: "mine" },
          { op: "add", path: "/status", value: { phase: "Failed" } },
          { op: "add", path: "/metadata/labels", value: { a: "b" } },
        ),
      ),
    );
    await register(api, mutating, webhook("a", { rules: [rule(["pods"])] }));
    const { body } = await call(api, "POST", pods, {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    expect(body.metadata.labels).toEqual({ a: "b" });
    expect(body.metadata.uid).not.toBe("mine");
    expect(body.status.phase).toBe("Pending");
  });

  test("CT9: a webhook cannot move a new object to another namespace", async () => {
    await using api = await startWith((review) =>
      reply(review, patchOf({ op: "add", path: "/metadata/namespace", value: "kube-system" })),
    );
    await register(api, mutating, webhook("a", { rules: [rule(["configmaps"])] }));
    const { status, body } = await call(api, "POST", configMaps, { metadata: { name: "one" } });
    expect(status).toBe(400);
    expect(body.message).toBe(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  });

  test("CT9: defaults are filled in, and unknown fields are dropped, after a webhook", async () => {
    const container = { name: "sidecar", image: "registry.k8s.io/pause:3.10", nonsense: 1 };
    await using api = await startWith((review) =>
      reply(review, patchOf({ op: "add", path: "/spec/containers/-", value: container })),
    );
    await register(api, mutating, webhook("a", { rules: [rule(["pods"])] }));
    const { body } = await call(api, "POST", pods, {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    expect(body.spec.containers[1]).toMatchObject({
      name: "sidecar",
      imagePullPolicy: "IfNotPresent",
    });
    expect(body.spec.containers[1].nonsense).toBeUndefined();
  });

  test("CT9: the result of a webhook is validated", async () => {
    await using api = await startWith((review) =>
      reply(review, patchOf({ op: "add", path: "/metadata/labels", value: { "a b": "c" } })),
    );
    await register(api, mutating, webhook("a"));
    const { status, body } = await createConfigMap(api, "x");
    expect(status).toBe(422);
    expect(body.message).toContain("metadata.labels");
  });

  test("CT9: an update is reviewed with the old object, and its resourceVersion stays", async () => {
    const reviews: Review[] = [];
    await using api = await startWith((review) => {
      reviews.push(review);
      return reply(review, patchOf(set("n", String(reviews.length))));
    });
    await createConfigMap(api, "x", { data: { a: "1" } });
    await register(api, mutating, webhook("a", { rules: [rule(["configmaps"], ["UPDATE"])] }));
    const patched = await call(
      api,
      "PATCH",
      `${configMaps}/x`,
      { data: { a: "2" } },
      { "content-type": "application/merge-patch+json" },
    );
    expect(patched.body.data).toEqual({ a: "2", n: "1" });
    const request = reviews[0]?.request;
    expect(request?.operation).toBe("UPDATE");
    expect(request?.oldObject).toMatchObject({ data: { a: "1" } });
    expect(request?.options).toEqual({ kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1" });
  });

  test("CT9: a webhook is called again when the object changed while it was called", async () => {
    const seen: string[] = [];
    let isFirst = true;
    await using api = await startWith(async (review) => {
      seen.push((review.request.oldObject as Json).data.a);
      if (isFirst) {
        isFirst = false;
        const change = { data: { a: "between" } };
        const merge = { "content-type": "application/merge-patch+json" };
        await call(api, "PATCH", `${configMaps}/x`, change, merge);
      }
      return reply(review, { allowed: true });
    });
    await createConfigMap(api, "x", { data: { a: "first" } });
    const rules = [rule(["configmaps"], ["UPDATE"])];
    await register(api, mutating, webhook("a", { rules }));
    const merge = { "content-type": "application/merge-patch+json" };
    const { body } = await call(api, "PATCH", `${configMaps}/x`, { data: { b: "1" } }, merge);
    expect(body.data).toEqual({ a: "between", b: "1" });
    expect(seen).toEqual(["first", "first", "between"]);
  });

  test("CT9: a patch that cannot be applied is an internal error", async () => {
    await using api = await startWith((review) =>
      reply(review, patchOf({ op: "remove", path: "/nothing" })),
    );
    await register(api, mutating, webhook("a", { failurePolicy: "Ignore" }));
    const { status, body } = await createConfigMap(api, "x");
    expect([status, body.reason]).toEqual([500, "InternalError"]);
  });

  test("CT9: audit annotations of webhooks and of the server are in the journal", async () => {
    await using api = await startWith((review) =>
      reply(review, {
        ...patchOf({ op: "add", path: "/data", value: { a: "b" } }),
        auditAnnotations: { reason: "because" },
      }),
    );
    await register(api, mutating, webhook("a"));
    await createConfigMap(api, "x");
    expect(api.requests.at(-1)?.auditAnnotations).toEqual({
      "a.example.com/reason": "because",
      "patch.webhook.admission.k8s.io/round_0_index_0":
        '{"configuration":"config","webhook":"a.example.com","patch":[{"op":"add","path":"/data","value":{"a":"b"}}],"patchType":"JSONPatch"}',
      "mutation.webhook.admission.k8s.io/round_0_index_0":
        '{"configuration":"config","webhook":"a.example.com","mutated":true}',
    });
  });

  test("CT9: webhooks are called for pods that controllers create", async () => {
    await using api = await startWith(
      (review) =>
        reply(review, patchOf({ op: "add", path: "/metadata/annotations", value: { by: "hook" } })),
      { controllers: true },
    );
    await register(api, mutating, webhook("a", { rules: [rule(["pods"])] }));
    await call(api, "POST", "/apis/apps/v1/namespaces/default/replicasets", replicaSet(3));
    await api.settled();
    const { body } = await call(api, "GET", pods);
    expect(body.items.map(({ metadata }: Json) => metadata.annotations)).toEqual(
      Array.from({ length: 3 }, () => ({ by: "hook" })),
    );
    const names = new Set(body.items.map(({ metadata }: Json) => metadata.name));
    expect(names.size).toBe(3);
  });

  test("CT9: webhooks for everything see Events of controllers, which go on without waiting", async () => {
    await using api = await startWith((review) => reply(review, { allowed: true }), {
      controllers: true,
    });
    const everything = {
      apiGroups: ["*"],
      apiVersions: ["*"],
      operations: ["*"],
      resources: ["*/*"],
    };
    await register(api, mutating, webhook("a", { rules: [everything] }));
    await call(api, "POST", "/apis/apps/v1/namespaces/default/replicasets", replicaSet(2));
    await api.settled();
    const { body } = await call(api, "GET", "/api/v1/namespaces/default/events");
    expect(body.items.map(({ reason }: Json) => reason)).toEqual([
      "SuccessfulCreate",
      "SuccessfulCreate",
    ]);
    const stored = await call(api, "GET", "/apis/apps/v1/namespaces/default/replicasets/web");
    expect(stored.body.status.replicas).toBe(2);
  });

  test("CT9: configurations of admission are never sent to webhooks", async () => {
    await using api = await startWith((review) => reply(review, { allowed: false }));
    const everything = {
      apiGroups: ["*"],
      apiVersions: ["*"],
      operations: ["*"],
      resources: ["*/*"],
    };
    await register(api, mutating, webhook("a", { rules: [everything] }));
    const { status } = await call(api, "DELETE", `${mutating}/config`);
    expect(status).toBe(200);
    expect((await createConfigMap(api, "x")).status).toBe(201);
  });
});

describe("reinvocation of mutating webhooks", () => {
  /** Counts calls by path, and lets the webhook `/b` change the object. */
  async function called(policies: readonly string[], changesAgain = false): Promise<string[]> {
    const paths: string[] = [];
    await using api = await startWith((review, { path }) => {
      paths.push(path);
      const isChanging = path === "/b" || changesAgain;
      const operation = set(path.slice(1), String(paths.length));
      return isChanging ? reply(review, patchOf(operation)) : reply(review, { allowed: true });
    });
    const webhooks = policies.map((reinvocationPolicy, at) =>
      webhook("abc"[at] ?? "", { reinvocationPolicy }),
    );
    await register(api, mutating, ...webhooks);
    await createConfigMap(api, "x", { data: { a: "b" } });
    return paths;
  }

  test("CT9: a webhook runs again if a later one changed the object", async () => {
    expect(await called(["IfNeeded", "Never", "IfNeeded"])).toEqual(["/a", "/b", "/c", "/a"]);
  });

  test("CT9: a webhook runs at most twice", async () => {
    expect(await called(["IfNeeded", "IfNeeded", "IfNeeded"], true)).toEqual([
      "/a",
      "/b",
      "/c",
      "/a",
      "/b",
      "/c",
    ]);
  });

  test("CT9: a webhook with the policy Never does not run again", async () => {
    expect(await called(["Never", "Never"])).toEqual(["/a", "/b"]);
  });
});
