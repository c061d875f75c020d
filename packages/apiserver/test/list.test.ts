import { call, configMaps, createConfigMaps, type Json } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

describe("pages", () => {
  test("CHK6: 1253 items in pages of 500 are 500 (753 remain), 500 (253 remain), 253 and no token", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, ...Array.from({ length: 1253 }, (_, at) => `c-${at}`));
    const pages: unknown[] = [];
    let token = "";
    do {
      const { body } = await call(api, "GET", `${configMaps}?limit=500&continue=${token}`);
      pages.push([body.items.length, body.metadata.remainingItemCount]);
      token = body.metadata.continue ?? "";
    } while (token !== "");
    expect(pages).toEqual([
      [500, 753],
      [500, 253],
      [253, undefined],
    ]);
  });

  test("CHK4: all pages show the state of the first one", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "c", "d");
    const first = await call(api, "GET", `${configMaps}?limit=1`);
    await createConfigMaps(api, "b");
    await call(api, "DELETE", `${configMaps}/d`);
    const { continue: token, resourceVersion } = first.body.metadata;
    const second = await call(api, "GET", `${configMaps}?limit=5&continue=${token}`);
    expect(second.body.items.map((item: Json) => item.metadata.name)).toEqual(["c", "d"]);
    expect(second.body.metadata.resourceVersion).toBe(resourceVersion);
  });

  test("ES3: an expired token gets 410 with a token for an inconsistent rest", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    const first = await call(api, "GET", `${configMaps}?limit=1`);
    await createConfigMaps(api, "c");
    api.compact();
    const gone = await call(
      api,
      "GET",
      `${configMaps}?limit=1&continue=${first.body.metadata.continue}`,
    );
    expect(gone.status).toBe(410);
    expect(gone.body.reason).toBe("Expired");
    expect(gone.body.message).toContain("The provided continue parameter is too old");
    const rest = await call(api, "GET", `${configMaps}?continue=${gone.body.metadata.continue}`);
    expect(rest.body.items.map((item: Json) => item.metadata.name)).toEqual(["b", "c"]);
  });

  test("CHK7: omits remainingItemCount with a selector", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    const { body } = await call(api, "GET", `${configMaps}?limit=1&fieldSelector=metadata.name!=z`);
    expect(body.metadata.continue).toBeTypeOf("string");
    expect(body.metadata).not.toHaveProperty("remainingItemCount");
  });

  test.each([
    "garbage",
    "!!",
    Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"../x"}').toString("base64url"),
  ])("CHK9: rejects the token %s with 400", async (token) => {
    await using api = await startApiServer();
    const { status, body } = await call(
      api,
      "GET",
      `${configMaps}?continue=${encodeURIComponent(token)}`,
    );
    expect([status, body.reason]).toEqual([400, "BadRequest"]);
    expect(body.message).toContain("invalid continue token: continue key is not valid");
  });

  test("CHK16: a negative limit means no limit", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    expect((await call(api, "GET", `${configMaps}?limit=-1`)).body.items).toHaveLength(2);
  });
});

describe("resourceVersions of a read", () => {
  test.each([
    ["resourceVersionMatch=Exact", 422, "FieldValueForbidden"],
    ["resourceVersionMatch=Exact&resourceVersion=0", 422, "FieldValueForbidden"],
    ["resourceVersionMatch=Foo&resourceVersion=1", 422, "FieldValueNotSupported"],
    ["resourceVersionMatch=NotOlderThan", 422, "FieldValueForbidden"],
    ["sendInitialEvents=true", 422, "FieldValueForbidden"],
    ["continue=abc&resourceVersion=1&resourceVersionMatch=Exact", 422, "FieldValueForbidden"],
  ])("RV14, RV16, RV18: a list with %s is %d with the cause %s", async (query, status, reason) => {
    await using api = await startApiServer();
    const response = await call(api, "GET", `${configMaps}?${query}`);
    expect(response.status).toBe(status);
    expect(response.body.details.causes[0].reason).toBe(reason);
    expect(response.body.details).toMatchObject({ group: "meta.k8s.io", kind: "ListOptions" });
  });

  test("RV13, OLD13: a resourceVersion beside a token is 400, 0 is ignored", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a", "b");
    const token = (await call(api, "GET", `${configMaps}?limit=1`)).body.metadata.continue;
    const refused = await call(api, "GET", `${configMaps}?continue=${token}&resourceVersion=5`);
    expect(refused.body.message).toBe(
      "specifying resource version is not allowed when using continue",
    );
    const taken = await call(api, "GET", `${configMaps}?continue=${token}&resourceVersion=0`);
    expect(taken.body.items).toHaveLength(1);
  });

  test("RV12, RV24: an exact resourceVersion shows the old state, and is gone after a compaction", async () => {
    await using api = await startApiServer();
    const [first] = await createConfigMaps(api, "a", "b");
    const version = first.metadata.resourceVersion;
    const exact = `${configMaps}?resourceVersion=${version}&resourceVersionMatch=Exact`;
    const old = await call(api, "GET", exact);
    expect(old.body.items.map((item: Json) => item.metadata.name)).toEqual(["a"]);
    expect(old.body.metadata.resourceVersion).toBe(version);
    const limited = await call(api, "GET", `${configMaps}?resourceVersion=${version}&limit=9`);
    expect(limited.body.items).toHaveLength(1);
    api.compact();
    const gone = await call(api, "GET", exact);
    expect([gone.status, gone.body.message]).toEqual([
      410,
      "The resourceVersion for the provided list is too old.",
    ]);
  });

  test.each(["?resourceVersion=999", "/a?resourceVersion=999", "?resourceVersion=999&limit=1"])(
    "RV33: a future resourceVersion (%s) waits three seconds, then gets 504",
    async (path) => {
      await using api = await startApiServer({ clock: "virtual" });
      await createConfigMaps(api, "a");
      const responding = call(api, "GET", `${configMaps}${path}`);
      await api.clock.advance(3_000);
      const { status, body, headers } = await responding;
      expect(status).toBe(504);
      expect(headers["retry-after"]).toBe("1");
      expect(body.message).toBe(
        `Timeout: Too large resource version: 999, current: ${api.resourceVersion}`,
      );
      expect(body.details).toEqual({
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      });
    },
  );

  test("RV33: a resourceVersion that is reached during the wait gets its response immediately", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    const next = Number(api.resourceVersion) + 1;
    const responding = call(api, "GET", `${configMaps}?resourceVersion=${next}`);
    await createConfigMaps(api, "a");
    expect((await responding).body.items).toHaveLength(1);
  });

  test("RV34: a resourceVersion that is not a number is 400 on a list", async () => {
    await using api = await startApiServer();
    expect((await call(api, "GET", `${configMaps}?resourceVersion=abc`)).status).toBe(400);
  });
});

describe("selectors", () => {
  test.each([
    ["labelSelector=i in (1,2),i!=2", ["a"]],
    ["labelSelector=!i", ["c"]],
    ["fieldSelector=metadata.name=b", ["b"]],
  ])("a list with %s returns only %j", async (query, names) => {
    await using api = await startApiServer();
    for (const [name, labels] of [
      ["a", { i: "1" }],
      ["b", { i: "2" }],
      ["c", {}],
    ]) {
      await call(api, "POST", configMaps, { metadata: { name, labels } });
    }
    const { body } = await call(api, "GET", `${configMaps}?${query.replaceAll(" ", "+")}`);
    expect(body.items.map((item: Json) => item.metadata.name)).toEqual(names);
  });

  test.each([
    ["labelSelector=a%3D%3D%3Db", "unable to parse requirement: found '=', expected: identifier"],
    ["labelSelector=a+in+b", "unable to parse requirement: found 'b' expected: '('"],
    ["fieldSelector=abc", "invalid selector: 'abc'; can't understand 'abc'"],
    [
      "fieldSelector=spec.x%3Db",
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])("rejects %s as a real server does", async (query, message) => {
    await using api = await startApiServer();
    const { status, body } = await call(api, "GET", `${configMaps}?${query}`);
    expect([status, body.message]).toEqual([400, message]);
  });
});
