import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { jsonPatch, mergePatch, strategicPatch } from "@typekube/client";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { defaultFieldManager } from "../../src/write/default-field-manager.js";
import { all } from "../helpers/all.js";

const object = { metadata: { name: "a" } };

describe("requests and their options", () => {
  it("contain no options that were not given", async () => {
    const server = new ScriptedServer(podPage([]));
    const pods = server.client().resource(Pod, "prod");
    await pods.list();
    await pods.list({
      limit: 0,
      continue: "",
      resourceVersion: "",
      labelSelector: {},
      fieldSelector: "",
    } as object);
    await pods.get("a");
    await pods.create(object);
    await pods.update(object);
    await pods.delete("a");
    expect(new Set(server.sent.map(({ query }) => JSON.stringify(query)))).toEqual(new Set(["{}"]));
  });

  it("H6: contain the options of a list, escaped", async () => {
    const server = new ScriptedServer(podPage([]));
    await server
      .client()
      .resource(Pod, "prod")
      .list({
        labelSelector: { app: "web", "x.io/y": "" },
        fieldSelector: { "spec.nodeName": "a,b=c" },
        shardSelector: "0/2 &",
        limit: 500,
        resourceVersion: "0123456789012345678901234567890123456789",
        resourceVersionMatch: "NotOlderThan",
        timeoutSeconds: 0,
      });
    expect(server.last.query).toEqual({
      labelSelector: "app=web,x.io/y=",
      fieldSelector: "spec.nodeName=a\\,b\\=c",
      shardSelector: "0/2 &",
      limit: "500",
      resourceVersion: "0123456789012345678901234567890123456789",
      resourceVersionMatch: "NotOlderThan",
      timeoutSeconds: "0",
    });
    expect(server.last.path).not.toContain(" ");
  });

  it("contain the options of a watch, and bookmarks unless disabled", async () => {
    const server = new ScriptedServer({ body: "" });
    const pods = server.client().resource(Pod, "prod");
    await all(pods.watch());
    expect(server.last.query).toEqual({ watch: "true", allowWatchBookmarks: "true" });
    expect(server.last.mode).toBe("stream");
    await all(
      pods.watch({
        resourceVersion: "5",
        allowWatchBookmarks: false,
        timeoutSeconds: 30,
        labelSelector: "a",
      }),
    );
    expect(server.last.query).toEqual({
      watch: "true",
      resourceVersion: "5",
      timeoutSeconds: "30",
      labelSelector: "a",
    });
    await all(pods.watch({ sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }));
    expect(server.last.query).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
    });
  });

  it("H7: send a patch with its media type", async () => {
    const server = new ScriptedServer({});
    const pods = server.client().resource(Pod, "prod");
    await pods.patch("a", jsonPatch([{ op: "remove", path: "/metadata/labels" }]));
    await pods.patch("a", mergePatch({ metadata: { labels: { a: null } } }), {
      dryRun: "All",
      fieldManager: "me",
      fieldValidation: "Strict",
    });
    await pods.patch("a", strategicPatch({ spec: {} }));
    expect(
      server.sent.map(({ method, text, headers }) => [method, headers["content-type"], text]),
    ).toEqual([
      ["PATCH", "application/json-patch+json", '[{"op":"remove","path":"/metadata/labels"}]'],
      ["PATCH", "application/merge-patch+json", '{"metadata":{"labels":{"a":null}}}'],
      ["PATCH", "application/strategic-merge-patch+json", '{"spec":{}}'],
    ]);
    expect(server.sent[1]?.query).toEqual({
      dryRun: "All",
      fieldManager: "me",
      fieldValidation: "Strict",
    });
  });

  it("an apply fills in kind, apiVersion and the field manager", async () => {
    const server = new ScriptedServer({});
    const client = server.client();
    await client.resource(Deployment, "prod").apply(object, { force: true });
    expect(server.last).toMatchObject({
      method: "PATCH",
      url: "/apis/apps/v1/namespaces/prod/deployments/a",
      query: { fieldManager: await defaultFieldManager(), force: "true" },
      headers: { "content-type": "application/apply-patch+yaml" },
    });
    expect(JSON.parse(server.last.text)).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      ...object,
    });
    await client.resource(Deployment, "prod").status.apply("a", {}, { fieldManager: "me" });
    expect(server.last.url).toBe("/apis/apps/v1/namespaces/prod/deployments/a/status");
    expect(server.last.query).toEqual({ fieldManager: "me" });
  });

  it("send delete options as the body", async () => {
    const server = new ScriptedServer({});
    const pods = server.client().resource(Pod, "prod");
    await pods.delete("a", {
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
      dryRun: "All",
    });
    const options = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      dryRun: ["All"],
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
    };
    expect(JSON.parse(server.last.text)).toEqual({ ...options, preconditions: { uid: "u" } });
    await pods.deleteCollection({ labelSelector: { app: "web" }, propagationPolicy: "Orphan" });
    expect(server.last).toMatchObject({
      method: "DELETE",
      url: "/api/v1/namespaces/prod/pods",
      query: { labelSelector: "app=web" },
    });
    expect(JSON.parse(server.last.text)).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy: "Orphan",
    });
  });

  it("send bodies of subresources with their own kind", async () => {
    const server = new ScriptedServer({});
    const client = server.client();
    await client
      .resource(Deployment, "prod")
      .scale.update("a", { metadata: { name: "a" }, spec: { replicas: 3 } });
    expect(server.last.url).toBe("/apis/apps/v1/namespaces/prod/deployments/a/scale");
    expect(JSON.parse(server.last.text)).toMatchObject({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      spec: { replicas: 3 },
    });
    await client.resource(Pod, "prod").eviction.create("a", { metadata: { name: "a" } });
    expect(server.last).toMatchObject({
      method: "POST",
      url: "/api/v1/namespaces/prod/pods/a/eviction",
    });
    expect(JSON.parse(server.last.text)).toMatchObject({
      apiVersion: "policy/v1",
      kind: "Eviction",
    });
  });
});

describe("client.with()", () => {
  const defaults = {
    dryRun: "All",
    fieldManager: "plan",
    fieldValidation: "Strict",
    timeoutMs: 5,
  } as const;

  it("sets the options of every write, including deletes", async () => {
    const server = new ScriptedServer({});
    const pods = server.client().with(defaults).resource(Pod, "prod");
    const expected = { dryRun: "All", fieldManager: "plan", fieldValidation: "Strict" };
    for (const write of [
      () => pods.create(object),
      () => pods.update(object),
      () => pods.patch("a", mergePatch({})),
      () => pods.apply(object),
      () => pods.status.update("a", object),
    ]) {
      await write();
      expect(server.last).toMatchObject({ query: expected, timeoutMs: 5 });
    }
    for (const remove of [
      () => pods.delete("a"),
      () => pods.deleteCollection(),
      () => pods.delete("a", { gracePeriodSeconds: 1 }),
    ]) {
      await remove();
      expect(JSON.parse(server.last.text)).toMatchObject({ dryRun: ["All"] });
    }
  });

  it("a call's own options take precedence, and the first client is unchanged", async () => {
    const server = new ScriptedServer({});
    const client = server.client();
    const plan = client.with(defaults).with({ fieldManager: "other" });
    await plan.resource(Pod, "prod").create(object, { fieldManager: "mine", timeoutMs: 9 });
    expect(server.last).toMatchObject({
      query: { fieldManager: "mine", dryRun: "All" },
      timeoutMs: 9,
    });
    await plan.resource(Pod, "prod").create(object);
    expect(server.last.query["fieldManager"]).toBe("other");
    await client.resource(Pod, "prod").create(object);
    expect(server.last).toMatchObject({ query: {}, timeoutMs: undefined });
  });

  it("sets an encoding for every read", async () => {
    const server = new ScriptedServer(podPage([]));
    const pods = server.client().with({ encoding: "json" }).resource(Pod, "prod");
    await pods.list();
    expect(server.last.headers["accept"]).toBe("application/json");
  });
});
