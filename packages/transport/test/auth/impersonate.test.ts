import { failure, get, text } from "@typekube/test-support/calls";
import { httpServer } from "@typekube/test-support/servers";
import { describe, expect, test } from "vitest";
import { impersonate } from "../../src/auth/impersonate.js";
import { createTransport } from "../../src/index.js";

/** Returns the impersonation headers that the server received, as name and value pairs in wire order. */
async function arriving(
  identity: Parameters<typeof impersonate>[0] | undefined,
  headers: Record<string, string> = {},
): Promise<[string, string][]> {
  await using server = await httpServer((request, response) => {
    const raw = request.rawHeaders;
    const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]]] : []));
    response.end(JSON.stringify(pairs.filter(([name]) => name?.startsWith("impersonate-"))));
  });
  await using transport = createTransport({
    server: server.url,
    credentialsOverHttp: true,
    impersonate: identity,
  });
  const sent = await transport.send(get({ headers }));
  return JSON.parse(await text(sent)) as [string, string][];
}

describe("impersonation", () => {
  test("S4: sends user, uid, each group and each extra value as a separate header", async () => {
    const identity = {
      user: "jane",
      uid: "42",
      groups: ["devs", "a, b"],
      extra: { scopes: ["view", "edit"], Reason: ["test"] },
    };
    expect(await arriving(identity)).toEqual([
      ["impersonate-user", "jane"],
      ["impersonate-uid", "42"],
      ["impersonate-group", "devs"],
      ["impersonate-group", "a, b"],
      ["impersonate-extra-scopes", "view"],
      ["impersonate-extra-scopes", "edit"],
      ["impersonate-extra-reason", "test"],
    ]);
  });

  test("S4: percent-encodes extra keys reversibly, and encodes values as UTF-8", async () => {
    const keys = ["example.com/tenant", "with space", "100%", "ünïcode", "a:b"];
    const extra = Object.fromEntries(keys.map((key) => [key, ["wért"]]));
    const found = await arriving({ user: "jané", extra });
    expect(found[1]?.[0]).toBe("impersonate-extra-example.com%2Ftenant");
    const back = found
      .slice(1)
      .map(([name]) => decodeURIComponent(name.slice("impersonate-extra-".length).toLowerCase()));
    expect(back).toEqual(keys);
    const decoded = found.map(([, value]) => Buffer.from(value, "latin1").toString("utf8"));
    expect(new Set(decoded)).toEqual(new Set(["jané", "wért"]));
  });

  test("S4: a request with its own impersonated user keeps it and gets no other groups", async () => {
    const own = { "impersonate-user": "own" };
    expect(await arriving({ user: "jane", groups: ["devs"] }, own)).toEqual([
      ["impersonate-user", "own"],
    ]);
    expect(await arriving(undefined)).toEqual([]);
  });

  test("K17: rejects a missing user or a control character; the error names the place, not the value", async () => {
    for (const [place, identity] of [
      ["needs a user", { user: "", groups: ["canary"] }],
      ["impersonate.user contains", { user: "a\r\nx: canary" }],
      ["impersonate.uid contains", { user: "a", uid: "canary\x7f" }],
      ["impersonate.groups[1] contains", { user: "a", groups: ["b", "canary\nb"] }],
      ['impersonate.extra["k"][0] contains', { user: "a", extra: { k: ["canary\0"] } }],
    ] as const) {
      const error = await failure((async () => impersonate(identity))());
      expect(error.code).toBe("Config");
      expect(error.message).toContain(place);
      expect(error.message).not.toContain("canary");
    }
  });

  test("K27: impersonates over plain http too; without it the client's greater permissions would apply", async () => {
    await using server = await httpServer((request, response) =>
      response.end(String(request.headers["impersonate-user"])),
    );
    await using transport = createTransport({ server: server.url, impersonate: { user: "jane" } });
    expect(await text(await transport.send(get()))).toBe("jane");
  });
});
