import { Pod } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import {
  podPage,
  ScriptedServer,
  type Sent,
  statusResponse,
} from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";

const gone = (more: object = {}) => statusResponse(410, "Expired", more);

function itemsOf(server: ScriptedServer, options: object) {
  return server.client().resource(Pod, "prod").items(options);
}

describe("repeating and empty pages", () => {
  it.each([1, 2, 3, 7])("CHK9: detects a cycle of %d tokens", async (length) => {
    let requested = 0;
    const server = new ScriptedServer(() => podPage([], { continue: `t${requested++ % length}` }));
    const error = await failure(all(itemsOf(server, {})));
    expect([error.code, error.rawMessage]).toEqual([
      "Decode",
      "the server returned the continue token of an earlier page",
    ]);
    expect(server.sent.length).toBeLessThan(5 * length + 5);
  });

  it("CHK9: detects an expired token that the server offers again", async () => {
    const server = new ScriptedServer(
      podPage(["a"], { continue: "t" }),
      gone({ metadata: { continue: "t" } }),
    );
    const error = await failure(all(itemsOf(server, { onExpired: "inconsistent" })));
    expect(error.code).toBe("Decode");
    expect(server.sent.length).toBe(2);
  });

  it("CHK8: continues over many empty pages", async () => {
    let requested = 0;
    const server = new ScriptedServer(() =>
      requested++ < 100 ? podPage([], { continue: `t${requested}` }) : podPage(["a"]),
    );
    expect((await all(itemsOf(server, {}))).length).toBe(1);
  });
});

it("CHK5: a restart continues over pages when the server splits the whole list", async () => {
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

it("CHK10: reads all pages when prefetch exceeds their number", async () => {
  let requested = 0;
  const server = new ScriptedServer(() =>
    podPage([`a${requested}`], requested++ < 9 ? { continue: `t${requested}` } : {}),
  );
  expect((await all(itemsOf(server, { prefetch: 1_000_000_000 }))).length).toBe(10);
});

describe("N9: the error of a walk whose token expired", () => {
  it("has a hint about both alternatives", async () => {
    const status = { message: "The provided continue parameter is too old", metadata: {} };
    const server = new ScriptedServer(podPage(["a"], { continue: "t" }), gone(status));
    const error = await failure(all(itemsOf(server, {})));
    expect([error.code, error.status?.message]).toEqual(["Expired", status.message]);
    expect(error.request).toMatchObject({ method: "GET", path: "/api/v1/namespaces/prod/pods" });
    expect(error.message).toContain('onExpired: "restart"');
    expect(error.message).toContain('"inconsistent"');
  });

  it("does not suggest the alternative already in use", async () => {
    const server = new ScriptedServer(podPage(["a"], { continue: "t" }), gone());
    const error = await failure(all(itemsOf(server, { onExpired: "inconsistent" })));
    expect(error.message).toContain('onExpired: "restart"');
    expect(error.message).not.toContain('"inconsistent"');
  });

  it("does not mention onExpired when a resourceVersion expired before the first page", async () => {
    const error = await failure(all(itemsOf(new ScriptedServer(gone()), {})));
    expect(error.code).toBe("Expired");
    expect(error.message).not.toContain("onExpired");
  });
});
