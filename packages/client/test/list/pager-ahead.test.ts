import { Pod } from "@typekube/api/core/v1";
import type { ItemsOptions, ItemsProgress } from "@typekube/client";
import { pageItems } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { expired, names, type Page, ScriptedPages } from "../helpers/scripted-pages.js";

/** A hundred pages of five items. */
const hundredPages = Array.from(
  { length: 100 },
  (_, page): Page => ({
    items: names(`p${page}-`, 5),
    ...(page < 99 ? { next: `t${page}` } : {}),
  }),
);

/** Waits until everything has happened that does not depend on the reader. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const walk = async (pages: ScriptedPages, options: ItemsOptions) =>
  (await all(pageItems(pages.list, options))).map(({ metadata }) => metadata?.name);

describe("prefetch", () => {
  it.each([0, 1, 2, 10])(
    "P9: reads %d pages ahead, and none after the reader stops",
    async (prefetch) => {
      const pages = new ScriptedPages(...hundredPages);
      const items = pageItems(pages.list, { pageSize: 5, prefetch })[Symbol.asyncIterator]();
      for (const taken of [1, 2]) {
        for (let i = 0; i < 5; i++) {
          await items.next();
        }
        await settled();
        expect(pages.requested.length, `after ${taken} pages`).toBe(taken + prefetch);
      }
      await items.return?.();
      const requested = pages.requested.length;
      await settled();
      expect(pages.requested.length).toBe(requested);
      expect(requested).toBeLessThanOrEqual(2 + prefetch + 1);
    },
  );

  it.each([1, 3, 200])(
    "P9: with %d pages ahead, yields every item once and in order",
    async (prefetch) => {
      const pages = new ScriptedPages(...hundredPages);
      const expected = hundredPages.flatMap(({ items }) => items);
      expect(await walk(pages, { pageSize: 5, prefetch })).toEqual(expected);
      expect(pages.requested).toHaveLength(100);
    },
  );

  it("P9: stopping cancels the pending request", async () => {
    let ended: unknown;
    const first = new ScriptedPages({ items: ["a"], next: "t" });
    const list: typeof first.list = async function* (options) {
      if (options.continue === undefined) {
        yield* first.list(options);
        return;
      }
      await new Promise<never>((_, reject) => {
        options.signal?.addEventListener("abort", () => {
          ended = options.signal?.reason;
          reject(ended);
        });
      });
    };
    for await (const _ of pageItems(list, { prefetch: 1 })) {
      await settled();
      break;
    }
    expect(ended).toBeInstanceOf(Error);
  });

  it.each([-1, 1.5, Number.NaN])(
    "P10: rejects %d pages ahead before anything is sent",
    async (prefetch) => {
      const pages = new ScriptedPages({ items: [] });
      const error = await failure(walk(pages, { prefetch }));
      expect([error.code, pages.requested.length]).toEqual(["InvalidArgument", 0]);
      expect(error.message).toContain("prefetch: must be an integer of at least 0");
    },
  );

  it("P6: a failure of a page ahead comes after the items before it", async () => {
    const reset = new KubeError("ConnectionReset", "x");
    const pages = new ScriptedPages({ items: ["a", "b"], next: "t" }, reset);
    const seen: unknown[] = [];
    const read = async () => {
      for await (const { metadata } of pageItems(pages.list, { prefetch: 2 })) {
        seen.push(metadata?.name);
        await settled();
      }
    };
    await expect(read()).rejects.toBe(reset);
    expect(seen).toEqual(["a", "b"]);
  });

  it("P8: an abort fails with the signal's own reason", async () => {
    const pages = new ScriptedPages(...hundredPages);
    const controller = new AbortController();
    const reason = { why: "enough" };
    const read = async () => {
      for await (const _ of pageItems(pages.list, {
        pageSize: 5,
        prefetch: 1,
        signal: controller.signal,
      })) {
        controller.abort(reason);
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(pages.requested.length).toBeLessThanOrEqual(3);
  });

  it("P4, P12: recovers from an expired token, with and without prefetch", async () => {
    for (const prefetch of [0, 2]) {
      const restarted = new ScriptedPages({ items: ["a"], next: "t" }, expired(), {
        items: ["a", "b"],
      });
      expect(await walk(restarted, { prefetch, onExpired: "restart" })).toEqual(["a", "b"]);
      const goneOn = new ScriptedPages({ items: ["a"], next: "t" }, expired("u"), { items: ["b"] });
      expect(await walk(goneOn, { prefetch, onExpired: "inconsistent" })).toEqual(["a", "b"]);
    }
  });
});

describe("progress and metadata of a walk", () => {
  const pages = (...metadata: readonly object[]) =>
    new ScriptedServer(...metadata.map((one, i) => podPage([`a${i}`, `b${i}`], one)));

  it("CHK6, CHK7: reports progress after each page, with the server's estimate if there is one", async () => {
    for (const prefetch of [0, 1]) {
      const received: ItemsProgress[] = [];
      const server = pages(
        { continue: "t", remainingItemCount: 753 },
        { continue: "u" },
        { continue: "" },
      );
      const onProgress = (progress: ItemsProgress) => void received.push(progress);
      await all(
        server.client().resource(Pod, "prod").items({ onProgress, prefetch, encoding: "json" }),
      );
      expect(received).toEqual([
        { items: 2, remaining: 753 },
        { items: 4, remaining: undefined },
        { items: 6, remaining: 0 },
      ]);
    }
  });

  it("CHK4: the resourceVersion of all pages is known with the first item; another walk sends requests again", async () => {
    const server = pages({ resourceVersion: "7", continue: "t" }, { resourceVersion: "7" });
    const walk = server.client().resource(Pod, "prod").items({ encoding: "json" });
    expect([walk.resourceVersion, walk.metadata]).toEqual([undefined, undefined]);
    const seen: unknown[] = [];
    for await (const _ of walk) {
      seen.push(walk.resourceVersion);
    }
    expect(seen).toEqual(["7", "7", "7", "7"]);
    expect(walk.metadata?.continue).toBeUndefined();
    await all(walk);
    expect(server.sent).toHaveLength(3);
  });

  it("CHK4: the resourceVersion of an empty collection is known at its end", async () => {
    const walk = new ScriptedServer(podPage([], { resourceVersion: "9" }))
      .client()
      .resource(Pod, "prod")
      .items({ encoding: "json" });
    expect(await all(walk)).toEqual([]);
    expect(walk.resourceVersion).toBe("9");
  });

  it("P12: after an inconsistent token, the resourceVersion is that of the remaining items", async () => {
    const versions: unknown[] = [];
    const scripted = new ScriptedPages(
      { items: ["a"], next: "t", version: "10" },
      expired("newer"),
      { items: ["b"], version: "20" },
    );
    await all(
      pageItems(scripted.list, { onExpired: "inconsistent" }, ({ resourceVersion }) =>
        versions.push(resourceVersion),
      ),
    );
    expect(new Set(versions)).toEqual(new Set(["10", "20"]));
  });
});

describe("the state at which a walk starts", () => {
  it("RV12: a resourceVersion alone means NotOlderThan for pages too", async () => {
    const pages = new ScriptedPages({ items: ["a"], next: "t" }, { items: ["b"] });
    await walk(pages, { resourceVersion: "5" });
    expect(pages.requested).toMatchObject([
      { resourceVersion: "5", resourceVersionMatch: "NotOlderThan" },
      { continue: "t" },
    ]);
    expect(pages.requested[1]).not.toHaveProperty("resourceVersion");
    const any = new ScriptedPages({ items: ["a"] });
    await walk(any, { resourceVersion: "0" });
    expect(any.requested[0]?.resourceVersionMatch).toBeUndefined();
  });

  it("RV27: requests the newest state when a NotOlderThan list expires on its first page", async () => {
    const pages = new ScriptedPages(expired(), { items: ["a"] });
    expect(await walk(pages, { consistency: { notOlderThan: "5" } })).toEqual(["a"]);
    expect(pages.requested).toEqual([
      { limit: 500, resourceVersion: "5", resourceVersionMatch: "NotOlderThan" },
      { limit: 500 },
    ]);
    const exact = new ScriptedPages(expired(), { items: ["a"] });
    expect((await failure(walk(exact, { consistency: { exact: "5" } }))).code).toBe("Expired");
  });
});
