import type { ListMeta } from "@typekube/api/meta/v1";
import type { ItemsOptions } from "@typekube/client";
import { defaultPageSize, pageItems } from "@typekube/client/internal";
import { isExpired, KubeError } from "@typekube/core";
import { errorFromStatus } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";
import { expired, names, ScriptedPages } from "../helpers/scripted-pages.js";

const walk = async (pages: ScriptedPages, options: ItemsOptions = {}) =>
  (await all(pageItems(pages.list, { pageSize: 10, ...options }))).map(
    ({ metadata }) => metadata?.name,
  );

describe("the pager", () => {
  it.each([0, 9, 10])("P1: reads %d items with one request", async (count) => {
    for (const next of [undefined, ""]) {
      const pages = new ScriptedPages({
        items: names("a", count),
        ...(next === undefined ? {} : { next }),
      });
      expect(await walk(pages)).toEqual(names("a", count));
      expect(pages.requested).toEqual([{ limit: 10 }]);
    }
  });

  it.each([
    [11, [10, 1]],
    [21, [10, 10, 1]],
  ])(
    "P2, CHK2: reads %d items as pages of %j, with the same options in each request",
    async (count, sizes) => {
      const everything = names("a", count);
      const script = sizes.map((size, i) => {
        const items = everything.slice(i * 10, i * 10 + size);
        return i === sizes.length - 1 ? { items } : { items, next: `t${i + 1}` };
      });
      const pages = new ScriptedPages(...script);
      const requested = {
        labelSelector: "app=web",
        fieldSelector: "a=b",
        managedFields: false,
        encoding: "json",
      } as const;
      expect(await walk(pages, requested)).toEqual(everything);
      expect(pages.requested).toEqual([
        { ...requested, limit: 10 },
        ...sizes.slice(1).map((_, i) => ({ ...requested, limit: 10, continue: `t${i + 1}` })),
      ]);
    },
  );

  it("P2, CHK4: reports the metadata of every page", async () => {
    const pages = new ScriptedPages(
      { items: ["a"], next: "t", version: "7" },
      { items: ["b"], version: "7" },
    );
    const received: ListMeta[] = [];
    await all(pageItems(pages.list, {}, (metadata) => void received.push(metadata)));
    expect(new Set(received.map(({ resourceVersion }) => resourceVersion))).toEqual(new Set(["7"]));
    expect(pages.requested[0]?.limit).toBe(defaultPageSize);
    expect(defaultPageSize).toBe(500);
  });

  it("CHK8, CHK11: only the continue token decides whether there is another page", async () => {
    const short = new ScriptedPages(
      { items: ["a", "b", "c"], next: "t" },
      { items: [], next: "u" },
      { items: ["d"] },
    );
    expect(await walk(short)).toEqual(["a", "b", "c", "d"]);
    const long = new ScriptedPages({ items: names("a", 1253) });
    expect(await walk(long)).toHaveLength(1253);
  });

  it("P3, N9: an expired token is an error by default, after the items before it", async () => {
    const pages = new ScriptedPages({ items: ["a"], next: "t" }, expired("inconsistent"));
    const seen: unknown[] = [];
    const read = async () => {
      for await (const item of pageItems(pages.list, {})) {
        seen.push(item.metadata?.name);
      }
    };
    expect(isExpired(await failure(read()))).toBe(true);
    expect(seen).toEqual(["a"]);
    expect(pages.requested).toHaveLength(2);
  });

  it("P4, CHK5: restart lists everything at the first resourceVersion and yields no item twice", async () => {
    const pages = new ScriptedPages(
      { items: ["a", "b"], next: "t" },
      { items: ["c"], failure: expired() },
      { items: ["a", "b", "c", "d", "other/a"], version: "20" },
    );
    const options = {
      onExpired: "restart",
      resourceVersion: "5",
      resourceVersionMatch: "NotOlderThan",
      labelSelector: "x",
    } as const;
    expect(await walk(pages, options)).toEqual(["a", "b", "c", "d", "a"]);
    expect(pages.requested[2]).toEqual({
      resourceVersion: "5",
      resourceVersionMatch: "NotOlderThan",
      labelSelector: "x",
    });
  });

  it("P4: an expiry on the first page, or in the restart, is an error", async () => {
    for (const onExpired of ["restart", "inconsistent"] as const) {
      const first = new ScriptedPages(expired("x"), { items: ["a"] });
      expect((await failure(walk(first, { onExpired }))).code).toBe("Expired");
      expect(first.requested).toHaveLength(1);
    }
    const again = new ScriptedPages({ items: ["a"], next: "t" }, expired(), expired());
    expect((await failure(walk(again, { onExpired: "restart" }))).code).toBe("Expired");
  });

  it("P5, P11, RV13: only the first request has the resourceVersion; the token carries it on", async () => {
    const version = "5";
    const pages = new ScriptedPages(
      { items: ["a"], next: "t", version },
      { items: ["b"], version },
    );
    await walk(pages, { resourceVersion: version, resourceVersionMatch: "Exact" });
    expect(pages.requested).toEqual([
      { limit: 10, resourceVersion: "5", resourceVersionMatch: "Exact" },
      { limit: 10, continue: "t" },
    ]);
  });

  it("P12: inconsistent continues with the token that the server offers", async () => {
    const pages = new ScriptedPages(
      { items: ["a"], next: "t" },
      expired("newer"),
      { items: ["b"], next: "u", version: "20" },
      { items: ["c"] },
    );
    expect(await walk(pages, { onExpired: "inconsistent" })).toEqual(["a", "b", "c"]);
    expect(pages.requested.map(({ continue: token }) => token)).toEqual([
      undefined,
      "t",
      "newer",
      "u",
    ]);
    const without = new ScriptedPages({ items: ["a"], next: "t" }, expired());
    expect((await failure(walk(without, { onExpired: "inconsistent" }))).code).toBe("Expired");
  });

  it("rejects a page that returns its own token, since it would repeat indefinitely", async () => {
    const page = { items: names("a", 10), next: "same" };
    const pages = new ScriptedPages(page, page, page);
    await expect(walk(pages)).rejects.toMatchObject({ code: "Decode" });
    expect(pages.requested).toHaveLength(2);
  });

  it("other failures cause no further request", async () => {
    for (const onExpired of ["restart", "inconsistent"] as const) {
      const refused = errorFromStatus({
        reason: "BadRequest",
        code: 400,
        message: "continue key is not valid",
      });
      const pages = new ScriptedPages({ items: ["a"], next: "t" }, refused);
      await expect(walk(pages, { onExpired })).rejects.toBe(refused);
      expect(pages.requested).toHaveLength(2);
    }
  });

  it("P6: a failure in the middle of a page comes after the items before it", async () => {
    const reset = new KubeError("ConnectionReset", "x");
    const pages = new ScriptedPages({ items: ["a", "b"], failure: reset });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const item of pageItems(pages.list, {})) {
        seen.push(item.metadata?.name);
      }
    };
    await expect(read()).rejects.toBe(reset);
    expect(seen).toEqual(["a", "b"]);
  });

  it("P7: an error thrown by the caller ends the walk without requesting another page", async () => {
    const pages = new ScriptedPages({ items: names("a", 10), next: "t" });
    const stop = new Error("enough");
    let count = 0;
    const read = async () => {
      for await (const _ of pageItems(pages.list, {})) {
        if (++count === 3) {
          throw stop;
        }
      }
    };
    await expect(read()).rejects.toBe(stop);
    expect(count).toBe(3);
    expect(pages.requested).toHaveLength(1);
  });

  it("P8: an abort at item 3 fails with the signal's own reason before another page", async () => {
    const pages = new ScriptedPages({ items: names("a", 5), next: "t" }, { items: ["b"] });
    const controller = new AbortController();
    const reason = { why: "enough" };
    let count = 0;
    const read = async () => {
      for await (const _ of pageItems(pages.list, { signal: controller.signal })) {
        if (++count === 3) {
          controller.abort(reason);
        }
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(count).toBeLessThanOrEqual(5);
  });

  it("a pageSize of 0 requests everything at once", async () => {
    const pages = new ScriptedPages({ items: ["a"] });
    await walk(pages, { pageSize: 0 });
    expect(pages.requested).toEqual([{}]);
  });

  it("P9: requests no page before the current one is used up", async () => {
    const pages = new ScriptedPages({ items: ["a", "b"], next: "t" }, { items: ["c"] });
    const items = pageItems(pages.list, {})[Symbol.asyncIterator]();
    await items.next();
    await items.next();
    expect(pages.requested).toHaveLength(1);
    await items.return?.();
    expect(pages.requested).toHaveLength(1);
  });
});
