import type { WireWatchEvent } from "@typekube/core/internal";
import { widget } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { encodeEvent } from "../src/phases/watch/watch-events.js";
import type { ResponseFormat } from "../src/request/response-format.js";
import { servedResource } from "../src/resources/served-resource.js";

const resource = servedResource(widget, true);
const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } };
const event: WireWatchEvent = { type: "ADDED", object };
const noTable = () => {
  throw new Error("no table was asked for");
};

const format = (encoding: ResponseFormat["encoding"], view: ResponseFormat["view"] = "full") =>
  ({ encoding, view, viewVersion: "meta.k8s.io/v1", pretty: false }) as const;

describe("bytes of an event", () => {
  test.each(["cbor", "json"] as const)(
    "are encoded once for all watches in %s",
    async (encoding) => {
      const once = await encodeEvent(event, format(encoding), resource, noTable);
      const again = await encodeEvent({ ...event }, format(encoding), resource, noTable);
      expect(again).toBe(once);
    },
  );

  test("differ by encoding, view and event type", async () => {
    const variants = [
      encodeEvent(event, format("json"), resource, noTable),
      encodeEvent(event, format("cbor"), resource, noTable),
      encodeEvent(event, format("json", "metadata"), resource, noTable),
      encodeEvent({ ...event, type: "DELETED" }, format("json"), resource, noTable),
    ];
    const texts = (await Promise.all(variants)).map((bytes) => Buffer.from(bytes).toString());
    expect(new Set(texts).size).toBe(variants.length);
  });
});
