import { type ServiceWebhooks, startApiServer } from "@typekube/apiserver";
import { admission, createWebhook } from "@typekube/controller";
import { call } from "@typekube/test-support/api-calls";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { createConfigMap, mutating, register, validating, webhook } from "./configurations.js";

describe("webhooks in process", () => {
  test("CT9: webhooks of typekube/controller are used as they are", async () => {
    const hooks = admission(ConfigMap, {
      name: "config-map",
      mutate(draft) {
        draft.data = { ...draft.data, mutated: "yes" };
      },
      validate({ object, deny, warn }) {
        warn("checked");
        return object?.data?.["bad"] === undefined ? undefined : deny("data.bad must be absent");
      },
    });
    const webhooks = { "default/hooks": createWebhook([hooks]) };
    await using api = await startApiServer({ clock: "virtual", webhooks });
    const [mutate = "", validate = ""] = webhooks["default/hooks"].paths;
    const at = (path: string) => ({
      clientConfig: { service: { namespace: "default", name: "hooks", path } },
    });
    await register(api, mutating, webhook("a", at(mutate)));
    await register(api, validating, webhook("b", at(validate)));
    const { status, body, headers } = await createConfigMap(api, "x", { data: { a: "b" } });
    expect([status, body.data]).toEqual([201, { a: "b", mutated: "yes" }]);
    expect(headers["warning"]).toBe('299 - "checked"');
    const bad = await createConfigMap(api, "y", { data: { bad: "yes" } });
    expect(bad.body.message).toContain('admission webhook "b.example.com" denied the request');
  });

  test("CT9: a conversion webhook is called in process, too", async () => {
    const versions = ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: {
        openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    }));
    const paths: string[] = [];
    await using api = await startApiServer({
      clock: "virtual",
      webhooks: {
        "ops/convert": ({ request, ...review }, { path }) => {
          paths.push(path);
          const convertedObjects = (request.objects ?? []).map((object) => ({
            ...object,
            apiVersion: request.desiredAPIVersion,
          }));
          const result = { status: "Success" };
          return { ...review, response: { uid: request.uid, convertedObjects, result } };
        },
      },
    });
    const service = { namespace: "ops", name: "convert", path: "/convert" };
    await call(api, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "boxes.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "boxes", kind: "Box" },
        versions,
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] },
        },
      },
    });
    const path = "/apis/example.com/v2/namespaces/default/boxes";
    const box = { apiVersion: "example.com/v2", kind: "Box", metadata: { name: "b" }, size: 1 };
    const { status, body } = await call(api, "POST", path, box);
    expect([status, body.apiVersion, body.size]).toEqual([201, "example.com/v2", 1]);
    expect(paths[0]).toBe("/convert");
  });

  test("CT9: an unknown key and a value that is no webhook are rejected at the start", async () => {
    const start = (webhooks: unknown) => startApiServer({ webhooks: webhooks as ServiceWebhooks });
    await expect(start({ hooks: () => ({}) })).rejects.toThrow(/webhooks has the key "hooks"/);
    await expect(start({ "a/b": 1 })).rejects.toThrow(/webhooks\["a\/b"\] is no webhook/);
  });
});
