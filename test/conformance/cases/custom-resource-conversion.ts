import assert from "node:assert/strict";
import { mergePatch } from "@typekube/client";
import type { KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { startConversionWebhook, type WireObject } from "../support/conversion-webhook.js";
import {
  customDefinition,
  customResource,
  uninstall,
  version,
} from "../support/custom-resources.js";

const string = { type: "string" };
const schema = (properties: object) => ({
  type: "object",
  properties: { spec: { type: "object", properties } },
});

/** Returns a definition whose objects have a size "2x3" in v1, and a width and a height in v2. */
function crates(kind: string, conversion: object) {
  return customDefinition(
    kind,
    [
      version(schema({ size: string })),
      version(schema({ width: string, height: string, note: { type: "string", default: "n" } }), {
        name: "v2",
        storage: false,
      }),
    ],
    { conversion: conversion as never },
  );
}

function convertCrate(object: WireObject, apiVersion: string): WireObject {
  const spec = (object["spec"] ?? {}) as Record<string, string>;
  if (spec["size"] === "bad" || spec["width"] === "bad") {
    throw new Error("not today");
  }
  const [width = "", height = ""] = (spec["size"] ?? "").split("x");
  return {
    ...object,
    apiVersion,
    spec: apiVersion.endsWith("/v2")
      ? { width, height }
      : { size: `${spec["width"]}x${spec["height"]}` },
  };
}

/** Cases for conversion by a webhook. */
export const customResourceConversion: readonly ConformanceCase[] = [
  {
    id: "ES15-webhook",
    name: "custom: a webhook converts objects on writes, reads, lists, watches and patches",
    needs: ["crd"],
    async run(context) {
      await using webhook = await startConversionWebhook(convertCrate);
      const definition = crates("Crate", webhook.conversion);
      const first = await customResource(context, definition);
      const second = await customResource(context, definition, "v2");
      const created = await second.create({
        metadata: { name: "a" },
        spec: { width: "2", height: "3" },
      });
      // Stored as v1, so fields that only v2 has are lost.
      assert.deepEqual(created["spec"], { width: "2", height: "3" });
      assert.deepEqual((await first.get("a"))["spec"], { size: "2x3" });
      await first.create({ metadata: { name: "b" }, spec: { size: "4x5" } });
      const { items, metadata } = await second.list();
      assert.deepEqual(
        items.map((item) => [item.apiVersion, item["spec"]]),
        [
          ["custom.typekube.dev/v2", { width: "2", height: "3" }],
          ["custom.typekube.dev/v2", { width: "4", height: "5" }],
        ],
      );
      const patched = await second.patch("a", mergePatch({ spec: { width: "7" } }));
      assert.deepEqual(patched["spec"], { width: "7", height: "3" });
      const { resourceVersion } = metadata;
      for await (const { type, object } of second.watch({
        resourceVersion,
        signal: context.signal,
      })) {
        assert.equal(type, "MODIFIED");
        assert.deepEqual((object as WireObject)["spec"], { width: "7", height: "3" });
        break;
      }
      assert.ok(webhook.requested.includes("custom.typekube.dev/v1"));
      assert.ok(webhook.requested.includes("custom.typekube.dev/v2"));
      await uninstall(context, definition.metadata?.name ?? "");
    },
  },
  {
    id: "ES15-webhook-failure",
    name: "custom: a write that the conversion webhook rejects fails with its message and stores nothing",
    needs: ["crd"],
    async run(context) {
      await using webhook = await startConversionWebhook(convertCrate);
      const definition = crates("Barrel", webhook.conversion);
      const first = await customResource(context, definition);
      const second = await customResource(context, definition, "v2");
      const refused = await second
        .create({ metadata: { name: "a" }, spec: { width: "bad", height: "3" } })
        .then(
          () => assert.fail("the server agreed"),
          (error: KubeError) => error,
        );
      assert.deepEqual(
        [refused.httpStatus, refused.status?.message],
        [500, "conversion webhook for custom.typekube.dev/v2, Kind=Barrel failed: not today"],
      );
      assert.deepEqual((await first.list()).items, []);
      await uninstall(context, definition.metadata?.name ?? "");
    },
  },
  {
    id: "ES15-webhook-steps",
    name: "custom: dry runs and deletions that wait for finalizers convert to the storage version, too",
    needs: ["crd"],
    async run(context) {
      let isBroken = false;
      await using webhook = await startConversionWebhook((object, apiVersion) => {
        if (isBroken && apiVersion.endsWith("/v1")) {
          throw new Error("not today");
        }
        return convertCrate(object, apiVersion);
      });
      const definition = crates("Keg", webhook.conversion);
      const first = await customResource(context, definition);
      const second = await customResource(context, definition, "v2");
      const finalizers = ["typekube.dev/held"];
      await first.create({ metadata: { name: "a" }, spec: { size: "2x3" } });
      await first.create({ metadata: { name: "held", finalizers }, spec: { size: "4x5" } });
      const dryRun = { dryRun: "All" } as const;
      const planned = await second.create(
        { metadata: { name: "b" }, spec: { width: "6", height: "7", note: "lost in v1" } },
        dryRun,
      );
      assert.deepEqual(planned["spec"], { width: "6", height: "7" });
      const changed = await second.patch(
        "a",
        mergePatch({ spec: { width: "8", note: "lost in v1" } }),
        dryRun,
      );
      assert.deepEqual(changed["spec"], { width: "8", height: "3" });
      isBroken = true;
      const why = "conversion webhook for custom.typekube.dev/v2, Kind=Keg failed: not today";
      for (const write of [
        () => second.create({ metadata: { name: "b" }, spec: { width: "0", height: "0" } }, dryRun),
        () => second.patch("a", mergePatch({ spec: { width: "9" } }), dryRun),
        () => second.delete("held", dryRun),
        () => second.delete("held"),
      ]) {
        const refused = await write().then(
          () => assert.fail("the server agreed"),
          (error: KubeError) => error,
        );
        assert.deepEqual([refused.httpStatus, refused.status?.message], [500, why]);
      }
      isBroken = false;
      assert.equal((await first.get("held")).metadata?.deletionTimestamp, undefined);
      await first.patch("held", mergePatch({ metadata: { finalizers: null } }));
      await uninstall(context, definition.metadata?.name ?? "");
    },
  },
];
