import { call, readResponse, widget } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

describe("custom resources", () => {
  const widgets = "/apis/example.com/v1/namespaces/default/widgets";

  test("UPD2, UPD11: reject strategic patches, and updates without a resourceVersion", async () => {
    await using api = await startApiServer({ resources: [widget] });
    const created = await call(api, "POST", widgets, {
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w" },
      spec: { any: { thing: 1 } },
    });
    expect(created.body).toMatchObject({
      metadata: { generation: 1 },
      spec: { any: { thing: 1 } },
    });
    const refused = await call(
      api,
      "PATCH",
      `${widgets}/w`,
      {},
      { "content-type": "application/strategic-merge-patch+json" },
    );
    expect([refused.status, refused.body.message]).toEqual([
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    ]);
    expect(
      (await call(api, "PUT", `${widgets}/w`, { metadata: { name: "w" }, spec: {} })).status,
    ).toBe(422);
  });

  test("ALT5, ALT15: protobuf alone is 406 in protobuf, JSON as the second choice is used", async () => {
    await using api = await startApiServer({ resources: [widget] });
    const protobuf = "application/vnd.kubernetes.protobuf";
    const refused = await api.send({
      method: "GET",
      path: widgets,
      headers: { accept: protobuf },
      mode: "call",
    });
    expect([refused.status, refused.headers["content-type"]]).toEqual([406, protobuf]);
    await readResponse(refused);
    expect(
      (await call(api, "GET", widgets, undefined, { accept: `${protobuf}, application/json` })).body
        .kind,
    ).toBe("WidgetList");
  });

  test("with a status subresource, drop the status on create and accept it through the subresource", async () => {
    const verbs = ["get", "patch", "update"] as const;
    const withStatus = {
      ...widget,
      subresources: { status: { apiVersion: "example.com/v1", kind: "Widget", verbs } },
    };
    await using api = await startApiServer({ resources: [withStatus] });
    const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
    const created = await call(api, "POST", widgets, { ...object, status: { seen: 9 } });
    expect(created.body.status).toBeUndefined();
    const written = await call(api, "PUT", `${widgets}/w/status`, {
      ...created.body,
      status: { seen: 1 },
    });
    expect(written.body.status).toEqual({ seen: 1 });
  });
});
