import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import { call, type Json, mergePatch, watch } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { type ConversionFunction, startApiServer, type WebhookCall } from "../src/index.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const path = (version: string, rest = "") =>
  `/apis/example.com/${version}/namespaces/default/boxes${rest}`;

const schema = (properties: object) => ({
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", properties } },
  },
});
const string = { type: "string" };

/** Returns a definition whose objects have a `size` "2x3" in v1, and a `width` and a `height` in v2. */
function boxes(conversion: object = { strategy: "None" }): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boxes.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boxes", kind: "Box" },
      conversion,
      versions: [
        { name: "v1", served: true, storage: true, schema: schema({ size: string }) },
        {
          name: "v2",
          served: true,
          storage: false,
          selectableFields: [{ jsonPath: ".spec.width" }],
          schema: schema({ width: string, height: string }),
        },
      ],
    },
  };
}

const convertBox: ConversionFunction = (object, apiVersion) => {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const [width, height] = String(spec["size"] ?? "").split("x");
  return {
    ...object,
    apiVersion,
    spec: apiVersion.endsWith("v2")
      ? { width, height }
      : { size: `${String(spec["width"])}x${String(spec["height"])}` },
  };
};

const box = (version: string, name: string, spec: object) => ({
  apiVersion: `example.com/${version}`,
  kind: "Box",
  metadata: { name },
  spec,
});

describe("versions of custom resources", () => {
  test("ES15: a function converts objects that are written, read, listed, patched or deleted in another version", async () => {
    await using api = await startApiServer({
      conversions: { "boxes.example.com": async (object, to) => convertBox(object, to) },
    });
    expect((await call(api, "POST", definitions, boxes())).status).toBe(201);
    const made = await call(api, "POST", path("v2"), box("v2", "a", { width: "2", height: "3" }));
    expect([made.status, made.body.spec]).toEqual([201, { width: "2", height: "3" }]);
    expect((await call(api, "GET", path("v1", "/a"))).body.spec).toEqual({ size: "2x3" });
    const patch = { spec: { width: "5" } };
    const patched = await call(api, "PATCH", path("v2", "/a"), patch, mergePatch);
    expect([patched.body.spec, patched.body.metadata.generation]).toEqual([
      { width: "5", height: "3" },
      2,
    ]);
    await call(api, "POST", path("v1"), box("v1", "b", { size: "7x8" }));
    const listed = await call(api, "GET", path("v2"));
    expect(listed.body.items.map(({ apiVersion, spec }: Json) => [apiVersion, spec.width])).toEqual(
      [
        ["example.com/v2", "5"],
        ["example.com/v2", "7"],
      ],
    );
    const selected = await call(api, "GET", path("v2", "?fieldSelector=spec.width%3D7"));
    expect(selected.body.items).toHaveLength(1);
    expect((await call(api, "GET", path("v1", "?fieldSelector=spec.width%3D7"))).status).toBe(400);
    expect((await call(api, "DELETE", path("v2", "/a"))).status).toBe(200);
    expect((await call(api, "GET", path("v1", "/a"))).status).toBe(404);
  });

  test("ES15: a watch converts initial and later events to its version", async () => {
    await using api = await startApiServer({ conversions: { "boxes.example.com": convertBox } });
    await call(api, "POST", definitions, boxes());
    await call(api, "POST", path("v1"), box("v1", "a", { size: "1x2" }));
    const seen = await watch(api, path("v2", "?watch=1"));
    expect((await seen.next()).object.spec).toEqual({ width: "1", height: "2" });
    await call(api, "PATCH", path("v1", "/a"), { spec: { size: "3x4" } }, mergePatch);
    const event = await seen.next();
    expect([event.type, event.object.apiVersion, event.object.spec]).toEqual([
      "MODIFIED",
      "example.com/v2",
      { width: "3", height: "4" },
    ]);
    await seen.stop();
  });

  test("ES15: a conversion may change only labels and annotations in the metadata", async () => {
    const labelled: ConversionFunction = (object, to) => ({
      ...(convertBox(object, to) as JsonObject),
      metadata: {
        ...(object["metadata"] as JsonObject),
        labels: { to },
        finalizers: ["example.com/no"],
      },
    });
    await using api = await startApiServer({ conversions: { "boxes.example.com": labelled } });
    await call(api, "POST", definitions, boxes());
    await call(api, "POST", path("v1"), box("v1", "a", { size: "1x2" }));
    const { metadata } = (await call(api, "GET", path("v2", "/a"))).body;
    expect([metadata.labels, metadata.finalizers]).toEqual([{ to: "example.com/v2" }, undefined]);
  });

  test("ES15: a failed conversion fails the request with its reason, and the next one may succeed", async () => {
    let reason: string | undefined = "no can do";
    const moody: ConversionFunction = (object, to) => {
      if (reason !== undefined) {
        throw new Error(reason);
      }
      return convertBox(object, to);
    };
    await using api = await startApiServer({ conversions: { "boxes.example.com": moody } });
    await call(api, "POST", definitions, boxes());
    await call(api, "POST", path("v1"), box("v1", "a", { size: "1x2" }));
    const failed = await call(api, "GET", path("v2", "/a"));
    const why = "conversion webhook for example.com/v1, Kind=Box failed: no can do";
    expect([failed.status, failed.body.message]).toEqual([500, expect.stringContaining(why)]);
    const refused = await call(
      api,
      "POST",
      path("v2"),
      box("v2", "b", { width: "1", height: "1" }),
    );
    expect(refused.status).toBe(500);
    expect((await call(api, "GET", path("v1", "/b"))).status).toBe(404);
    reason = undefined;
    expect((await call(api, "GET", path("v2", "/a"))).body.spec.width).toBe("1");
  });

  test.each([
    [
      "another name",
      (object: JsonObject) => ({ ...object, metadata: { name: "x" } }),
      /must have the same name: a != x/,
    ],
    [
      "another kind",
      (object: JsonObject) => ({ ...object, kind: "Bag" }),
      /invalid kind \(expected Box, received Bag\)/,
    ],
    [
      "another version",
      (object: JsonObject) => ({ ...object, apiVersion: "example.com/v9" }),
      /invalid groupVersion \(expected example\.com\/v2, received example\.com\/v9\)/,
    ],
  ])("ES15: rejects a conversion whose result has %s", async (_what, spoil, message) => {
    await using api = await startApiServer({
      conversions: {
        "boxes.example.com": async (object, to) => spoil(await convertBox(object, to)),
      },
    });
    await call(api, "POST", definitions, boxes());
    await call(api, "POST", path("v1"), box("v1", "a", { size: "1x2" }));
    const failed = await call(api, "GET", path("v2", "/a"));
    expect([failed.status, failed.body.message]).toEqual([500, expect.stringMatching(message)]);
  });

  test("ES15, MIG17: sends a webhook one ConversionReview for all objects of a list", async () => {
    const calls: WebhookCall[] = [];
    await using api = await startApiServer({
      callWebhook: async (requested) => {
        calls.push(requested);
        const { uid, objects, desiredAPIVersion } = requested.review["request"] as Json;
        const convertedObjects = objects.map((object: JsonObject) =>
          convertBox(object, desiredAPIVersion),
        );
        return {
          ...requested.review,
          response: { uid, result: { status: "Success" }, convertedObjects },
        };
      },
    });
    const caBundle = Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64");
    const webhook = {
      conversionReviewVersions: ["v9", "v1"],
      clientConfig: { url: "https://example.com/convert", caBundle },
    };
    expect(
      (await call(api, "POST", definitions, boxes({ strategy: "Webhook", webhook }))).status,
    ).toBe(201);
    await call(api, "POST", path("v1"), box("v1", "a", { size: "1x2" }));
    await call(api, "POST", path("v1"), box("v1", "b", { size: "3x4" }));
    expect(calls).toEqual([]);
    const listed = await call(api, "GET", path("v2"));
    expect(listed.body.items.map(({ spec }: Json) => spec.width)).toEqual(["1", "3"]);
    expect(calls.map(({ url, ca }) => [url, ca])).toEqual([
      ["https://example.com/convert", "-----BEGIN CERTIFICATE-----"],
    ]);
    const [{ review } = { review: {} as Json }] = calls;
    expect(review).toMatchObject({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
    });
    expect((review as Json).request.objects).toHaveLength(2);
  });

  test.each([
    [
      "another uid",
      { uid: "x", result: { status: "Success" } },
      /expected response\.uid="[^"]+", got "x"/,
    ],
    ["a refusal", { result: { status: "Failure", message: "not today" } }, /failed: not today$/],
    [
      "too few objects",
      { result: { status: "Success" }, convertedObjects: [] },
      /returned 0 objects, expected 1/,
    ],
  ])("ES15: a webhook response with %s fails the request", async (_what, response, message) => {
    await using api = await startApiServer({
      callWebhook: async ({ review }) => ({
        ...review,
        response: { uid: (review["request"] as Json).uid, ...response },
      }),
    });
    const webhook = {
      conversionReviewVersions: ["v1"],
      clientConfig: { url: "https://example.com/convert" },
    };
    await call(api, "POST", definitions, boxes({ strategy: "Webhook", webhook }));
    await call(api, "POST", path("v1"), box("v1", "a", { size: "1x2" }));
    const failed = await call(api, "GET", path("v2", "/a"));
    expect([failed.status, failed.body.message]).toEqual([500, expect.stringMatching(message)]);
  });
});
