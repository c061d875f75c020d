import { createVirtualClock } from "@typekube/apiserver";
import { KubeError } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const text = (body: string, status = 200) => ({ status, body, type: "text/plain; charset=utf-8" });
const well =
  "[+]ping ok\n[+]etcd ok\n[+]poststarthook/rbac/bootstrap-roles ok\nreadyz check passed\n";
const ill =
  "[+]ping ok\n[-]etcd failed: reason withheld\n[+]log excluded: ok\nreadyz check failed\n";

describe("health", () => {
  it("HLT1, HLT4: returns a verdict and the list of checks", async () => {
    const server = new ScriptedServer(text(well));
    const health = await server.client().health("readyz");
    expect(server.log).toEqual(["GET /readyz?verbose=true"]);
    expect(health).toEqual({
      endpoint: "readyz",
      ok: true,
      text: well,
      checks: ["ping", "etcd", "poststarthook/rbac/bootstrap-roles"].map((name) => ({
        name,
        ok: true,
        excluded: false,
        message: "ok",
      })),
    });
  });

  it("HLT3: returns an unhealthy server as a result, with the checks that failed", async () => {
    const { ok, checks } = await new ScriptedServer(text(ill, 500)).client().health("livez");
    expect(ok).toBe(false);
    expect(checks).toEqual([
      { name: "ping", ok: true, excluded: false, message: "ok" },
      { name: "etcd", ok: false, excluded: false, message: "failed: reason withheld" },
      { name: "log", ok: true, excluded: true, message: "excluded: ok" },
    ]);
  });

  it("reads a long list of failed checks completely", async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `[-]check-${i} failed: reason withheld\n`);
    const { checks } = await new ScriptedServer(text(lines.join(""), 500))
      .client()
      .health("readyz");
    expect(checks).toHaveLength(200);
  });

  it("HLT2: uses the status only, whatever the body", async () => {
    for (const body of ["", "no", "[-]etcd failed", "{}"]) {
      const health = await new ScriptedServer(text(body))
        .client()
        .health("livez", { verbose: false });
      expect(health.ok).toBe(true);
    }
  });

  it("HLT5: passes the names of checks to exclude in the query", async () => {
    const server = new ScriptedServer(text("ok"));
    await server.client().health("livez", { exclude: ["etcd", "a/b"], verbose: false });
    expect(server.log).toEqual(["GET /livez?exclude=etcd&exclude=a%2Fb"]);
  });

  it("HLT6: requests one check, whose name may contain slashes", async () => {
    const server = new ScriptedServer(
      text("ok"),
      text("nope", 500),
      text("404 page not found", 404),
    );
    const client = server.client();
    const check = "poststarthook/rbac/bootstrap-roles";
    expect(await client.health("livez", { check })).toMatchObject({
      ok: true,
      checks: [{ name: check, ok: true }],
    });
    expect(server.log).toEqual([`GET /livez/${check}`]);
    expect((await client.health("livez", { check: "etcd" })).checks).toMatchObject([
      { name: "etcd", ok: false },
    ]);
    expect((await failure(client.health("livez", { check: "none" }))).code).toBe("NotFound");
    for (const bad of ["../x", "..", "a/../../b"]) {
      expect((await failure(client.health("livez", { check: bad }))).code).toBe("InvalidArgument");
    }
  });

  it("HLT8: a request that is refused is an error, not a verdict", async () => {
    for (const [code, reason] of [
      [401, "Unauthorized"],
      [403, "Forbidden"],
      [429, "TooManyRequests"],
      [500, "InternalError"],
      [503, "ServiceUnavailable"],
    ] as const) {
      const client = new ScriptedServer(statusResponse(code, reason)).client();
      expect((await failure(client.health("readyz"))).code).toBe(reason);
    }
  });

  it("HLT3: untilReady waits until the server is ready, whatever the responses before", async () => {
    const server = new ScriptedServer(
      new KubeError("ConnectionRefused", "connection refused"),
      statusResponse(503, "ServiceUnavailable"),
      text(ill, 500),
      text(well),
    );
    const clock = createVirtualClock();
    const ready = server.client({ clock }).untilReady({ exclude: ["log"] });
    await clock.advance(2_999);
    expect(server.sent).toHaveLength(3);
    await clock.advance(1);
    await ready;
    expect(server.last.path).toBe("/readyz?verbose=true&exclude=log");
    expect(clock.pending).toBe(0);
  });

  it("HLT3: a timeout names the failed checks and whether the server is alive", async () => {
    const server = new ScriptedServer(({ url }) =>
      url === "/livez" ? text("ok") : text(ill, 500),
    );
    const clock = createVirtualClock();
    let turnedBackMs = 0;
    const turned = { ...clock, monotonic: clock.now, now: () => clock.now() - turnedBackMs };
    const late = failure(server.client({ clock: turned }).untilReady({ timeoutMs: 2_500 }));
    await clock.advance(500);
    // A change of the time of day does not extend the wait.
    turnedBackMs = 3_600_000;
    await clock.advance(4_500);
    expect((await late).message).toBe(
      "[DeadlineExceeded] the server has not become ready within 2500 ms (failed checks: etcd; it is live)",
    );
    const refused = new ScriptedServer(new KubeError("ConnectionRefused", "connection refused"));
    const unreached = failure(refused.client({ clock }).untilReady({ timeoutMs: 0 }));
    expect((await unreached).message).toContain(
      "(the last request failed with ConnectionRefused; it is not live)",
    );
    const forbidden = new ScriptedServer(statusResponse(403, "Forbidden")).client({ clock });
    expect((await failure(forbidden.untilReady())).code).toBe("Forbidden");
    const reason = new Error("enough");
    const controller = new AbortController();
    const waiting = server.client({ clock }).untilReady({ signal: controller.signal });
    const ended = waiting.catch((error: unknown) => error);
    await clock.advance(10);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it("HLT3: a server without a response, or a load balancer without a server, is not ready", async () => {
    const server = new ScriptedServer(
      new KubeError("DeadlineExceeded", "no response headers"),
      { ...text("<html>Bad Gateway</html>", 502), type: "text/html" },
      { ...text("<html>Gateway Timeout</html>", 504), type: "text/html" },
      text(well),
    );
    const clock = createVirtualClock();
    const ready = server.client({ clock, defaults: { timeoutMs: 9_000 } }).untilReady();
    await clock.advance(3_000);
    await ready;
    expect(server.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([9_000, 9_000, 9_000, 9_000]);
  });

  it("HLT3: no request outlasts the wait by more than one poll interval", async () => {
    const clock = createVirtualClock();
    const server = new ScriptedServer(async ({ timeoutMs = 0 }) => {
      await sleep(clock, timeoutMs);
      throw new KubeError("DeadlineExceeded", "no response headers");
    });
    const late = failure(server.client({ clock }).untilReady({ timeoutMs: 5_000 }));
    await clock.advance(6_000);
    expect((await late).message).toContain(
      "not become ready within 5000 ms (the last request failed with DeadlineExceeded; it is not live)",
    );
    expect(server.sent.map(({ url, timeoutMs }) => [url, timeoutMs])).toEqual([
      ["/readyz", 5_000],
      ["/livez", 1_000],
    ]);
  });

  it("rejects an unknown endpoint", async () => {
    const server = new ScriptedServer(text("ok"));
    const endpoint = "metrics" as "livez";
    expect((await failure(server.client().health(endpoint))).code).toBe("InvalidArgument");
    expect(server.sent).toHaveLength(0);
  });
});
