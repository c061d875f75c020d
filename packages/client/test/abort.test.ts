import { getEventListeners } from "node:events";
import { Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { podPage, type Script, ScriptedServer } from "@typekube/test-support/scripted-server";
import type { Client } from "typekube";
import { describe, expect, it } from "vitest";
import { all } from "./helpers/all.js";

const reason = { why: "enough" };
const widget = { apiVersion: "x.io/v1", kind: "Widget" } as const;
const object = { metadata: { name: "a" } };

type Call = (client: Client, signal: AbortSignal) => Promise<unknown>;

const calls: Record<string, Call> = {
  get: (client, signal) => client.resource(Pod, "prod").get("a", { signal }),
  find: (client, signal) => client.resource(Pod, "prod").find("a", { signal }),
  list: (client, signal) => client.resource(Pod, "prod").list({ signal }),
  items: (client, signal) => all(client.resource(Pod, "prod").items({ signal })),
  watch: (client, signal) => all(client.resource(Pod, "prod").watch({ signal })),
  create: (client, signal) => client.resource(Pod, "prod").create(object, { signal }),
  update: (client, signal) => client.resource(Pod, "prod").update(object, { signal }),
  patch: (client, signal) => client.resource(Pod, "prod").patch("a", mergePatch({}), { signal }),
  apply: (client, signal) => client.resource(Pod, "prod").apply(object, { signal }),
  delete: (client, signal) => client.resource(Pod, "prod").delete("a", { signal }),
  deleteCollection: (client, signal) => client.resource(Pod, "prod").deleteCollection({ signal }),
  version: (client, signal) => client.version({ signal }),
  "a subresource": (client, signal) =>
    client.resource(Pod, "prod").status.update("a", object, { signal }),
  "a get of a kind to be found": (client, signal) =>
    client.resource(widget, "prod").get("a", { signal }),
  "a list of a kind to be found": (client, signal) =>
    client.resource(widget, "prod").list({ signal }),
  "a watch of a kind to be found": (client, signal) =>
    all(client.resource(widget, "prod").watch({ signal })),
  "an apply of a kind to be found": (client, signal) =>
    client.apply({ ...widget, ...object }, { signal }),
  applyAll: (client, signal) => client.applyAll([{ ...widget, ...object }], { signal }),
};

/** Never responds; each request ends with its signal, as the contract of `send` requires. */
const never: Script = (sent) =>
  new Promise((_, reject) =>
    sent.signal?.addEventListener("abort", () => reject(sent.signal?.reason as Error)),
  );

describe.each(Object.entries(calls))(
  "N25: %s fails with the signal's own reason when aborted",
  (_, call) => {
    it("before it starts, and sends nothing", async () => {
      const server = new ScriptedServer({});
      await expect(call(server.client(), AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(server.sent).toEqual([]);
    });

    it("while it waits for the response", async () => {
      const server = new ScriptedServer(never);
      const controller = new AbortController();
      const running = call(server.client(), controller.signal);
      const failed = expect(running).rejects.toBe(reason);
      await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      await failed;
      expect(server.sent.length).toBeGreaterThan(0);
    });

    it("rejects with the signal's reason when aborted while the body arrives", async () => {
      const controller = new AbortController();
      const server = new ScriptedServer(() => {
        queueMicrotask(() => controller.abort(reason));
        return {
          body: [Buffer.from('{"kind":'), Buffer.from('"Pod",'), Buffer.from('"apiVersion":"v1"}')],
        };
      });
      await expect(call(server.client(), controller.signal)).rejects.toBe(reason);
    });
  },
);

describe("N25: long-lived signals", () => {
  it("keep no listeners of 10,000 finished calls", async () => {
    const resources = [
      {
        resource: "widgets",
        responseKind: { kind: "Widget" },
        scope: "Namespaced",
        verbs: ["get"],
      },
    ];
    const discovery = {
      kind: "APIGroupDiscoveryList",
      items: [{ metadata: { name: "x.io" }, versions: [{ version: "v1", resources }] }],
    };
    const server = new ScriptedServer((sent) =>
      /^\/apis?$/.test(sent.url) ? { body: discovery } : podPage(["a"]),
    );
    const client = server.client();
    const { signal } = new AbortController();
    for (let i = 0; i < 2_500; i++) {
      await Promise.all([
        client.resource(Pod, "prod").get("a", { signal }),
        client.resource(Pod, "prod").list({ signal }),
        all(client.resource(Pod, "prod").items({ signal })),
        client.resource(widget, "prod").get("a", { signal }),
      ]);
    }
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(server.sent.length).toBeGreaterThanOrEqual(10_000);
  });

  it("a shared lookup of a kind succeeds for the others when one caller aborts", async () => {
    let response = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      response = resolve;
    });
    const resources = [
      {
        resource: "widgets",
        responseKind: { kind: "Widget" },
        scope: "Namespaced",
        verbs: ["get"],
      },
    ];
    const discovery = {
      kind: "APIGroupDiscoveryList",
      items: [{ metadata: { name: "x.io" }, versions: [{ version: "v1", resources }] }],
    };
    const server = new ScriptedServer(async (sent) => {
      await waiting;
      return { body: /^\/apis?$/.test(sent.url) ? discovery : {} };
    });
    const widgets = server.client().resource(widget, "prod");
    const controller = new AbortController();
    const aborted = widgets.get("a", { signal: controller.signal });
    const other = widgets.get("a");
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    response();
    await expect(other).resolves.toBeDefined();
  });

  it("a discovery round that fails after its callers aborted causes no unhandled rejection", async () => {
    const rejections: unknown[] = [];
    const onRejection = (error: unknown) => void rejections.push(error);
    process.on("unhandledRejection", onRejection);
    try {
      const server = new ScriptedServer(new Error("gone"));
      const call = server
        .client()
        .resource(widget, "prod")
        .get("a", { signal: AbortSignal.abort(reason) });
      await expect(call).rejects.toBe(reason);
      const controller = new AbortController();
      const second = server
        .client()
        .resource(widget, "prod")
        .get("a", { signal: controller.signal });
      controller.abort(reason);
      await expect(second).rejects.toBe(reason);
      await new Promise((resolve) => setImmediate(resolve));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", onRejection);
    }
  });
});
