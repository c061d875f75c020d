import { Pod } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";

type Loose = Record<string, unknown>;

/** Returns the methods with options that the types would not accept. */
function loosePods(server: ScriptedServer) {
  return server.client().resource(Pod, "prod") as unknown as {
    list(options: Loose): Promise<unknown>;
    items(options: Loose): AsyncIterable<unknown>;
    watch(options: Loose): AsyncIterable<unknown>;
    deleteCollection(options: Loose): Promise<unknown>;
    create(object: object, options: Loose): Promise<unknown>;
    apply(object: object, options: Loose): Promise<unknown>;
    delete(name: string, options: Loose): Promise<unknown>;
  };
}

const badLists: [Loose, string][] = [
  [{ sendInitialEvents: true }, "sendInitialEvents: forbidden for list"],
  [{ sendInitialEvents: false }, "sendInitialEvents: forbidden for list"],
  [
    { resourceVersionMatch: "Exact" },
    "resourceVersionMatch: forbidden unless resourceVersion is provided",
  ],
  [
    { resourceVersionMatch: "NotOlderThan", resourceVersion: "" },
    "resourceVersionMatch: forbidden unless resourceVersion is provided",
  ],
  [
    { resourceVersionMatch: "Exact", resourceVersion: "0" },
    'resourceVersionMatch: "exact" is forbidden for resourceVersion "0"',
  ],
  [
    { resourceVersionMatch: "Exact", resourceVersion: "5", continue: "t" },
    "resourceVersionMatch: forbidden when continue is provided",
  ],
  [
    { resourceVersion: "5", continue: "t" },
    "resourceVersion: specifying resource version is not allowed when using continue",
  ],
  [{ limit: -1 }, "limit: must be an integer of at least 0"],
  [{ limit: 1.5 }, "limit: must be an integer of at least 0"],
  [{ limit: Number.NaN }, "limit: must be an integer of at least 0"],
  [{ timeoutSeconds: -1 }, "timeoutSeconds: must be an integer of at least 0"],
];

const badWatches: [Loose, string][] = [
  [
    { sendInitialEvents: true },
    'sendInitialEvents requires setting resourceVersionMatch to "NotOlderThan"',
  ],
  [
    { sendInitialEvents: true, resourceVersionMatch: "Exact" },
    'sendInitialEvents requires setting resourceVersionMatch to "NotOlderThan"',
  ],
  [
    { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: false },
    "allowWatchBookmarks: must not be false",
  ],
  [
    { resourceVersionMatch: "NotOlderThan" },
    "resourceVersionMatch: forbidden for watch unless sendInitialEvents is provided",
  ],
  [
    { resourceVersionMatch: "Exact", resourceVersion: "5" },
    "resourceVersionMatch: forbidden for watch unless sendInitialEvents is provided",
  ],
  [{ limit: 5 }, "limit: not supported for watch"],
  [{ timeoutSeconds: 0.5 }, "timeoutSeconds: must be an integer of at least 0"],
];

describe("rejects options that the API rejects, before anything is sent", () => {
  it.each(badLists)(
    "WAT11, CHK16, RV13, RV14, RV18: a list and a deleteCollection reject %o",
    async (options, reason) => {
      const server = new ScriptedServer({});
      const pods = loosePods(server);
      for (const call of [pods.list(options), pods.deleteCollection(options)]) {
        const error = await failure(call);
        expect(error.code).toBe("InvalidArgument");
        expect(error.message).toContain(reason);
      }
      expect(server.sent).toEqual([]);
    },
  );

  it.each(badWatches)(
    "WAT10, WAT11, WAT20: a watch rejects the options %o",
    async (options, reason) => {
      const server = new ScriptedServer({});
      const error = await failure(all(loosePods(server).watch(options)));
      expect(error.code).toBe("InvalidArgument");
      expect(error.message).toContain(reason);
      expect(server.sent).toEqual([]);
    },
  );

  it.each([-1, 0.5, Number.NaN])(
    "CHK16, P10: a walk over items rejects %d as its pageSize",
    async (pageSize) => {
      const server = new ScriptedServer({});
      expect((await failure(all(loosePods(server).items({ pageSize })))).message).toContain(
        "pageSize: must be",
      );
      expect(server.sent).toEqual([]);
    },
  );

  it.each(["", "a\n", "a\u0000", "\u200b", "x".repeat(129), "é".repeat(65)])(
    "writes reject %j as the field manager",
    async (fieldManager) => {
      const server = new ScriptedServer({});
      const pods = loosePods(server);
      const object = { metadata: { name: "a" } };
      for (const call of [
        pods.create(object, { fieldManager }),
        pods.apply(object, { fieldManager }),
      ]) {
        expect((await failure(call)).message).toContain("fieldManager: must be");
      }
      expect(server.sent).toEqual([]);
    },
  );

  it.each(["x".repeat(128), "é".repeat(64), "kubectl (v1) / me", "e\u0301"])(
    "accepts the field manager %j",
    async (fieldManager) => {
      const server = new ScriptedServer({});
      await loosePods(server).create({ metadata: { name: "a" } }, { fieldManager });
      expect(server.last.query["fieldManager"]).toBe(fieldManager);
    },
  );

  it.each([-1, 0.5])("a grace period of %d seconds", async (gracePeriodSeconds) => {
    const server = new ScriptedServer({});
    expect(
      (await failure(loosePods(server).delete("a", { gracePeriodSeconds }))).message,
    ).toContain("gracePeriodSeconds");
    expect(
      (await failure(loosePods(server).deleteCollection({ gracePeriodSeconds }))).message,
    ).toContain("gracePeriodSeconds");
    expect(server.sent).toEqual([]);
  });
});
