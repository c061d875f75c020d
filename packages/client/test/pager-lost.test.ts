import { Pod } from "@typekube/api/core/v1";
import { describe, expect, it } from "vitest";
import { all, failure } from "./helpers/failure.js";
import { podPage, ScriptedServer, type Sent, statusResponse } from "./helpers/scripted-server.js";

const gone = (more: object = {}) => statusResponse(410, "Expired", more);

function itemsOf(server: ScriptedServer, options: object) {
  return server.client().resource(Pod, "prod").items(options);
}

describe("pages that lead nowhere", () => {
  it.each([1, 2, 3, 7])("CHK9: a circle of %d tokens is left", async (length) => {
    let requested = 0;
    const server = new ScriptedServer(() => podPage([], { continue: `t${requested++ % length}` }));
    const error = await failure(all(itemsOf(server, {})));
    expect([error.code, error.rawMessage]).toEqual([
      "Decode",
      "the server returned the continue token of an earlier page",
    ]);
    expect(server.sent.length).toBeLessThan(5 * length + 5);
  });

  it("CHK9: so is an expired token that is answered with itself", async () => {
    const server = new ScriptedServer(
      podPage(["a"], { continue: "t" }),
      gone({ metadata: { continue: "t" } }),
    );
    const error = await failure(all(itemsOf(server, { onExpired: "inconsistent" })));
    expect(error.code).toBe("Decode");
    expect(server.sent.length).toBe(2);
  });

  it("CHK8: many empty pages are walked over", async () => {
    let requested = 0;
    const server = new ScriptedServer(() =>
      requested++ < 100 ? podPage([], { continue: `t${requested}` }) : podPage(["a"]),
    );
    expect((await all(itemsOf(server, {}))).length).toBe(1);
  });
});

it("CHK5: a restart goes on over pages of a server that answers a whole list in pages", async () => {
  const server = new ScriptedServer((sent: Sent) => {
    switch (sent.query["continue"]) {
      case undefined:
        return sent.query["limit"] === undefined
          ? podPage(["a", "c"], { continue: "new" })
          : podPage(["a"], { continue: "old" });
      case "old":
        return gone();
      default:
        return podPage(["d"]);
    }
  });
  const seen: string[] = [];
  for await (const { metadata } of itemsOf(server, { onExpired: "restart", pageSize: 1 })) {
    seen.push(metadata.name);
  }
  expect(seen).toEqual(["a", "c", "d"]);
});

it("CHK10: as many pages ahead as there are, however many may be", async () => {
  let requested = 0;
  const server = new ScriptedServer(() =>
    podPage([`a${requested}`], requested++ < 9 ? { continue: `t${requested}` } : {}),
  );
  expect((await all(itemsOf(server, { prefetch: 1_000_000_000 }))).length).toBe(10);
});

describe("N9: a walk that lost its place names the way out", () => {
  it("which is to say what is to be done about it", async () => {
    const status = { message: "The provided continue parameter is too old", metadata: {} };
    const server = new ScriptedServer(podPage(["a"], { continue: "t" }), gone(status));
    const error = await failure(all(itemsOf(server, {})));
    expect([error.code, error.status?.message]).toEqual(["Expired", status.message]);
    expect(error.request).toMatchObject({ method: "GET", path: "/api/v1/namespaces/prod/pods" });
    expect(error.message).toContain('onExpired: "restart"');
    expect(error.message).toContain('"inconsistent"');
  });

  it("and not the way that it came", async () => {
    const server = new ScriptedServer(podPage(["a"], { continue: "t" }), gone());
    const error = await failure(all(itemsOf(server, { onExpired: "inconsistent" })));
    expect(error.message).toContain('onExpired: "restart"');
    expect(error.message).not.toContain('"inconsistent"');
  });

  it("a version that is gone before the first page is another matter", async () => {
    const error = await failure(all(itemsOf(new ScriptedServer(gone()), {})));
    expect(error.code).toBe("Expired");
    expect(error.message).not.toContain("onExpired");
  });
});
