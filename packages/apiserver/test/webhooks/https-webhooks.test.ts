import { startApiServer } from "@typekube/apiserver";
import { admission, startManager } from "@typekube/controller";
import { call } from "@typekube/test-support/api-calls";
import { ConfigMap } from "typekube/api/core/v1";
import { describe, expect, test } from "vitest";
import { createConfigMap, mutating, register, validating, webhook } from "./configurations.js";

const hooks = admission(ConfigMap, {
  name: "config-map",
  excludeNamespaces: ["kube-system"],
  mutate(draft) {
    draft.data = { ...draft.data, mutated: "yes" };
  },
});

const webhooks = {
  handlers: [hooks],
  url: "https://127.0.0.1:0",
  host: "127.0.0.1",
  port: 0,
  lameDuckMs: 0,
} as const;

describe("webhooks over HTTPS", () => {
  test("CT9: the webhooks of a manager are registered and called by their URL", async () => {
    await using api = await startApiServer();
    await using client = await api.client({ namespace: "default" });
    await using _manager = await startManager(client, {
      webhooks,
    });
    const created = await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
    expect(created.data).toEqual({ mutated: "yes" });
  });

  test("CT9: a certificate of an unknown authority is a failed call", async () => {
    await using api = await startApiServer();
    await using client = await api.client({ namespace: "default" });
    await using _manager = await startManager(client, {
      webhooks,
    });
    const { body } = await call(api, "GET", mutating);
    const { url } = body.items[0].webhooks[0].clientConfig;
    await register(api, validating, webhook("a", { clientConfig: { url } }));
    const { status, body: error } = await createConfigMap(api, "x");
    expect(status).toBe(500);
    expect(error.message).toBe(
      `Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "${url}?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    );
  });
});
