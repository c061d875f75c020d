import { Pod } from "@typekube/api/core/v1";
import { contextOf } from "@typekube/client/internal";
import { failure } from "@typekube/test-support/failure";
import {
  podPage,
  ScriptedServer,
  type Sent,
  statusResponse,
} from "@typekube/test-support/scripted-server";
import { httpServer } from "@typekube/test-support/servers";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a", namespace: "prod" } };

function users(sent: readonly Sent[]): (string | undefined)[] {
  return sent.map(({ headers }) => headers["impersonate-user"]);
}

describe("S4: impersonation", () => {
  it("sends user, uid, groups and extra, percent-escaped, and not with the next call", async () => {
    const server = new ScriptedServer({ body: pod });
    const pods = server.client().resource(Pod, "prod");
    const impersonate = {
      user: "jane",
      uid: "7",
      groups: ["devs", "ops"],
      extra: { "example.com/reason": ["on call"] },
    };
    await pods.get("a", { impersonate });
    await pods.get("a");
    const [first, second] = server.sent.map(({ headers }) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("imp"))),
    );
    expect(first).toEqual({
      "impersonate-user": "jane",
      "impersonate-uid": "7",
      "impersonate-group": "devs\nops",
      "impersonate-extra-example.com%2Freason": "on call",
    });
    expect(second).toEqual({});
  });

  it("the call's user takes precedence over the client's, and `with` sets and removes it", async () => {
    const server = new ScriptedServer({ body: pod });
    const client = server.client();
    const jane = client.with({ impersonate: { user: "jane", groups: ["devs"] } });
    await client.resource(Pod, "prod").get("a");
    await jane.resource(Pod, "prod").get("a");
    await jane.resource(Pod, "prod").get("a", { impersonate: { user: "joe" } });
    await jane.with({ dryRun: "All" }).resource(Pod, "prod").delete("a");
    await jane.with({ impersonate: undefined }).resource(Pod, "prod").get("a");
    expect(users(server.sent)).toEqual([undefined, "jane", "joe", "jane", undefined]);
    expect(server.sent[2]?.headers).not.toHaveProperty("impersonate-group");
  });

  it("applies to lists, pages, watches, writes and retries in another encoding", async () => {
    const server = new ScriptedServer(
      statusResponse(406, "NotAcceptable"),
      podPage(["a"], { continue: "next" }),
      podPage(["b"]),
      { body: "" },
      { body: pod },
    );
    const pods = server
      .client()
      .with({ impersonate: { user: "jane" } })
      .resource(Pod, "prod");
    for await (const _pod of pods.items({ pageSize: 1 })) {
      // Reads both pages.
    }
    for await (const _event of pods.watch()) {
      // There are no events.
    }
    await pods.create({ metadata: { name: "a" } });
    expect(users(server.sent)).toEqual(Array(5).fill("jane"));
  });

  it("discovery is not impersonated: one user's refusal must not become another's result", async () => {
    const server = new ScriptedServer((request) =>
      request.path === "/api/v1/namespaces/prod/pods/a"
        ? { body: pod }
        : {
            body: {
              kind: "APIResourceList",
              resources: [{ name: "pods", kind: "Pod", namespaced: true, verbs: ["get"] }],
            },
          },
    );
    const jane = server.client({ defaults: { impersonate: { user: "jane" } } });
    await jane.resource({ apiVersion: "v1", kind: "Pod" }, "prod").get("a");
    const asJane = server.sent.filter(({ headers }) => headers["impersonate-user"] === "jane");
    expect(asJane.map(({ path }) => path)).toEqual(["/api/v1/namespaces/prod/pods/a"]);
    expect(server.sent.length).toBeGreaterThan(1);
  });

  it("another user has a separate negotiation memory, which starts with what is known", async () => {
    const server = new ScriptedServer(statusResponse(406, "NotAcceptable"), podPage([]));
    const client = server.client();
    await client.resource(Pod, "prod").list();
    const jane = client.with({ impersonate: { user: "jane" } });
    expect(contextOf(jane).memory).not.toBe(contextOf(client).memory);
    expect(contextOf(client.with({ dryRun: "All" })).memory).toBe(contextOf(client).memory);
    await jane.resource(Pod, "prod").list();
    expect(server.sent).toHaveLength(3);
  });

  it("K17: sends nothing without a user, or with a value that no header can hold", async () => {
    const server = new ScriptedServer({ body: pod });
    for (const impersonate of [
      { user: "" },
      { user: "a\nb" },
      { user: "a", groups: ["canary\r\nx: y"] },
    ]) {
      const call = server.client().resource(Pod, "prod").get("a", { impersonate });
      const error = await failure(call);
      expect(error.code).toBe("Config");
      expect(error.message).not.toContain("canary");
    }
    expect(server.sent).toEqual([]);
  });

  it("a call's user replaces the connection's, with all of its headers", async () => {
    const seen: (string[] | string | undefined)[][] = [];
    await using server = await httpServer(({ headers }, response) => {
      seen.push([headers["impersonate-user"], headers["impersonate-group"]]);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(pod));
    });
    const impersonate = { user: "connection", groups: ["devs"] };
    await using client = await connect({ server: server.url, impersonate, env: {} });
    await client.resource(Pod, "prod").get("a");
    await client.resource(Pod, "prod").get("a", { impersonate: { user: "jane" } });
    await client
      .with({ impersonate: { user: "joe" } })
      .resource(Pod, "prod")
      .get("a");
    expect(seen).toEqual([
      ["connection", "devs"],
      ["jane", undefined],
      ["joe", undefined],
    ]);
  });
});
