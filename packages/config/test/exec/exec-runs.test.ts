import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { KubeError } from "@typekube/core";
import { failure, folder, kubeconfig } from "@typekube/test-support/kubeconfig-files";
import { manualClock } from "@typekube/test-support/manual-clock";
import { createTransport } from "@typekube/transport";
import { describe, expect, test } from "vitest";
import { sourceKey } from "../../src/credentials/shared-credentials.js";
import { execKillGraceMs } from "../../src/exec/end-plugin.js";
import { execPatienceMs, execRefreshSkewMs } from "../../src/exec/exec-credentials.js";
import { execOptions } from "../../src/exec/exec-options.js";
import { execSourceParts } from "../../src/exec/exec-source.js";
import { execLeftoverMs } from "../../src/exec/run-plugin.js";
import type { ConnectionOptions } from "../../src/index.js";
import { direct, resolved, stanza, tokenOf } from "../helpers/exec.js";
import { type FakePlugin, fakePlugin, pulse } from "../helpers/fake-plugin.js";

describe("when a plugin runs", () => {
  test("X9: runs once for a hundred concurrent first calls by two clients of the same source", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const one = await resolved(dir, { user: stanza(plugin.path) });
    const two = await resolved(dir, { user: stanza(plugin.path) });
    const tokens = await Promise.all(
      Array.from({ length: 100 }, (_, i) => tokenOf(i % 2 === 0 ? one.auth : two.auth)),
    );
    expect(new Set(tokens)).toEqual(new Set(["Bearer token-1"]));
    expect(await plugin.runs()).toHaveLength(1);
  });

  test("X11, X1, N23: shares credentials only between equal sources", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const base = { user: stanza(plugin.path) };
    const auth = async (parts: Parameters<typeof resolved>[1], options?: ConnectionOptions) =>
      (await resolved(dir, parts, options)).auth;
    const first = await auth(base);
    expect(await auth(base)).toBe(first);
    const others = [
      await auth({ user: stanza(plugin.path, { args: ["a"] }) }),
      await auth({ user: stanza(plugin.path, { env: [{ name: "A", value: "1" }] }) }),
      await auth({ user: stanza(plugin.path, { env: [{ name: "A", value: "2" }] }) }),
      await auth({ ...base, cluster: { server: "https://other" } }),
      await auth(base, { execPlugins: [plugin.path] }),
      await auth(base, { env: { HOME: "/home/b" } }),
    ];
    expect(new Set([first, ...others]).size).toBe(7);
    const cluster = { server: "s" };
    const source = { plugin: { ...stanza("canary").exec, args: ["canary"] } as never, cluster };
    expect(sourceKey(execSourceParts(source, execOptions({})))).toMatch(/^[0-9a-f]{64}$/);
  });

  test("X6: runs once for all 401s of one token, even when it returns the same token and some come later", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ status: { token: "revoked" } });
    const credentials = direct(plugin);
    const shown = await credentials.headers();
    expect(await credentials.refresh?.({ headers: shown })).toBe(false);
    expect(await credentials.refresh?.({ headers: shown })).toBe(false);
    expect(await plugin.runs()).toHaveLength(2);
    // A call sent since then causes another run.
    await plugin.plan({ status: { token: "revoked" } }, {}, { status: { token: "new" } });
    const next = await credentials.headers();
    expect(next).toEqual(shown);
    expect(await credentials.refresh?.({ headers: next })).toBe(true);
    expect(await credentials.refresh?.({ headers: shown })).toBe(true);
    expect(await plugin.runs()).toHaveLength(3);
  });

  test("X6: no run while the token is valid, one before it expires, one per call while it prints expired ones", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const clock = manualClock();
    const until = (ms: number) => new Date(clock.now() + ms).toISOString();
    await plugin.plan(
      { status: { token: "one", expirationTimestamp: until(3_600_000) } },
      { status: { token: "two", expirationTimestamp: until(0) } },
      { status: { token: "three" } },
    );
    const credentials = direct(plugin, {}, { clock });
    expect(await tokenOf(credentials)).toBe("Bearer one");
    clock.advance(3_600_000 - execRefreshSkewMs - 1);
    expect(await tokenOf(credentials)).toBe("Bearer one");
    expect(await plugin.runs()).toHaveLength(1);
    clock.advance(1);
    expect(await tokenOf(credentials)).toBe("Bearer two");
    expect(await tokenOf(credentials)).toBe("Bearer three");
    clock.advance(1e9);
    expect(await tokenOf(credentials)).toBe("Bearer three");
    expect(await plugin.runs()).toHaveLength(3);
  });

  test("X6: uses the old token until it expires when an early refresh fails", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const clock = manualClock();
    const end = new Date(clock.now() + 600_000).toISOString();
    await plugin.plan({ status: { token: "one", expirationTimestamp: end } }, { exitCode: 1 });
    const credentials = direct(plugin, {}, { clock });
    await tokenOf(credentials);
    clock.advance(600_000 - execRefreshSkewMs);
    expect(await tokenOf(credentials)).toBe("Bearer one");
    expect(await tokenOf(credentials)).toBe("Bearer one");
    expect(await plugin.runs()).toHaveLength(2);
    clock.advance(execRefreshSkewMs);
    expect((await failure(credentials.headers())).message).toContain("exit code 1");
  });

  test("X7: never runs with a token, a password or a certificate, nor over http", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const user = (over: object) => ({ user: { ...stanza(plugin.path), ...over } });
    expect(await tokenOf((await resolved(dir, user({ token: "own" }))).auth)).toBe("Bearer own");
    expect(
      await tokenOf((await resolved(dir, user({ username: "u", password: "p" }))).auth),
    ).toMatch(/^Basic /);
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const pair = { "client-certificate-data": base64("C"), "client-key-data": base64("K") };
    expect((await resolved(dir, user(pair))).auth).toBeUndefined();
    expect(await tokenOf((await resolved(dir, user({}), { token: "mine" })).auth)).toBe(
      "Bearer mine",
    );
    const http = { server: "http://localhost:8080" };
    expect((await resolved(dir, { ...user({}), cluster: http })).auth).toBeUndefined();
    expect(await plugin.runs()).toHaveLength(0);
  });
});

describe("ending a run", () => {
  test("kills it when the last waiting call aborts, with the signal's reason; the next call starts another", async () => {
    await using dir = await folder();
    await using runs = await pulse();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ hangs: runs.port }, { status: { token: "second" } });
    const clock = manualClock();
    const credentials = direct(plugin, {}, { clock });
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [one, two].map(({ signal }) => credentials.headers({ signal }));
    const settled = Promise.allSettled(calls);
    const run = await runs.begun();
    one.abort(new Error("first"));
    await expect(calls[0]).rejects.toThrow("first");
    expect(clock.pending).toBe(1);
    two.abort(new Error("second"));
    await settled;
    await expect(calls[1]).rejects.toThrow("second");
    // It ignores SIGTERM and needs SIGKILL.
    expect(run.isGone()).toBe(false);
    clock.advance(execKillGraceMs);
    await run.gone;
    expect(await tokenOf(credentials)).toBe("Bearer second");
  });

  test.skipIf(process.platform === "win32")(
    "kills the processes it started too, even when they ignore SIGTERM",
    async () => {
      await using dir = await folder();
      await using runs = await pulse();
      const code = `process.on("SIGTERM", () => {}); require("node:net").connect(${runs.port}, "127.0.0.1")`;
      const path = await dir.write(
        "plugin.sh",
        `#!/bin/sh\n"${process.execPath}" -e '${code}' &\nwait\n`,
      );
      await chmod(path, 0o755);
      const clock = manualClock();
      const credentials = direct({ path } as FakePlugin, {}, { clock, timeoutMs: 60_000 });
      const slow = credentials.headers().catch((error: KubeError) => error);
      const child = await runs.begun();
      clock.advance(60_000);
      expect(await slow).toMatchObject({ code: "DeadlineExceeded" });
      expect(child.isGone()).toBe(false);
      clock.advance(execKillGraceMs);
      await child.gone;
    },
  );

  test("kills it when it takes too long or prints too much", async () => {
    await using dir = await folder();
    await using runs = await pulse();
    const plugin = await fakePlugin(dir);
    const stderr = "log in at https://login.test with password canary\n";
    await plugin.plan({ hangs: runs.port, stderr }, { output: "canary ".repeat(200_000) });
    const clock = manualClock();
    const credentials = direct(plugin, {}, { clock, timeoutMs: 60_000 });
    const slow = credentials.headers().catch((error: KubeError) => error);
    const run = await runs.begun();
    // The plugin wrote to stderr before it connected, so a few turns of the event loop deliver the text.
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.advance(60_000);
    expect(await slow).toMatchObject({
      code: "DeadlineExceeded",
      hint: "log in at https://login.test with password [redacted]",
    });
    clock.advance(execKillGraceMs);
    await run.gone;
    const large = await credentials.headers().catch((error: KubeError) => error);
    expect(large).toMatchObject({ code: "TooLarge" });
    expect(inspect(large)).not.toContain("canary");
  });

  test.each(["stderr", "stdout"] as const)(
    "ends with the plugin itself, although a process it left behind holds its %s",
    async (stream) => {
      await using dir = await folder();
      await using left = await pulse();
      const plugin = await fakePlugin(dir);
      await plugin.plan({ status: { token: "t" }, leaves: { stream, port: left.port } });
      const clock = manualClock();
      const token = tokenOf(direct(plugin, {}, { clock }));
      const agent = await left.begun();
      if (stream === "stdout") {
        // More output might come, so two timers remain: the run's timeout and this wait.
        await expect.poll(() => clock.pending).toBe(2);
        clock.advance(execLeftoverMs);
      }
      expect(await token).toBe("Bearer t");
      expect(clock.pending).toBe(0);
      expect(agent.isGone()).toBe(false);
      agent.end();
      await agent.gone;
    },
  );

  test("kills it when the transport of the waiting call closes", async () => {
    await using dir = await folder();
    await using runs = await pulse();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ hangs: runs.port });
    const clock = manualClock();
    const auth = direct(plugin, {}, { clock });
    await using transport = createTransport({ server: "https://127.0.0.1:1", auth, clock });
    const request = { method: "GET", path: "/", headers: {}, mode: "call" } as const;
    const call = transport.send(request).catch((error: KubeError) => error);
    const run = await runs.begun();
    await transport.close();
    expect(await call).toMatchObject({ code: "Closed" });
    clock.advance(execKillGraceMs);
    await run.gone;
  });
});

describe("continuing a run", () => {
  const late = {
    "a deadline of ours": new KubeError("DeadlineExceeded", "no credentials were obtained"),
    "AbortSignal.timeout": new DOMException("it took too long", "TimeoutError"),
  };

  test.each(Object.entries(late))(
    "continues when the last waiting call timed out (%s): the next call gets its result",
    async (_name, reason) => {
      await using dir = await folder();
      await using runs = await pulse();
      const plugin = await fakePlugin(dir);
      await plugin.plan({ waits: runs.port, status: { token: "slow" } });
      const clock = manualClock();
      const credentials = direct(plugin, {}, { clock });
      const run = runs.begun();
      for (let call = 0; call < 3; call += 1) {
        const controller = new AbortController();
        const given = credentials.headers({ signal: controller.signal });
        await run;
        controller.abort(reason);
        await expect(given).rejects.toBe(reason);
      }
      const token = tokenOf(credentials);
      (await run).end();
      expect(await token).toBe("Bearer slow");
      expect(await plugin.runs()).toHaveLength(1);
      expect(clock.pending).toBe(0);
    },
  );

  test("X6: continues while a call is sent with the old token, which is still valid", async () => {
    await using dir = await folder();
    await using runs = await pulse();
    const plugin = await fakePlugin(dir);
    const clock = manualClock();
    const end = new Date(clock.now() + 600_000).toISOString();
    await plugin.plan(
      { status: { token: "one", expirationTimestamp: end } },
      { waits: runs.port, status: { token: "two" } },
    );
    const credentials = direct(plugin, {}, { clock });
    await tokenOf(credentials);
    clock.advance(600_000 - execRefreshSkewMs);
    const early = tokenOf(credentials);
    const run = await runs.begun();
    clock.advance(execPatienceMs);
    expect(await early).toBe("Bearer one");
    // Later calls do not wait at all until the old token expires.
    expect(await tokenOf(credentials)).toBe("Bearer one");
    clock.advance(execRefreshSkewMs - execPatienceMs - 1);
    const last = tokenOf(credentials);
    clock.advance(1);
    expect(clock.pending).toBe(2);
    clock.advance(execPatienceMs);
    run.end();
    expect(await last).toBe("Bearer two");
    expect(await plugin.runs()).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test("N32: a continued run does not keep a finished script alive", async () => {
    await using dir = await folder();
    await using runs = await pulse();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ waits: runs.port });
    const user = stanza(plugin.path);
    const path = await dir.write("config", kubeconfig({ user }));
    const script = fileURLToPath(new URL("../helpers/finished-login.ts", import.meta.url));
    const finished = promisify(execFile)(process.execPath, [
      "--import",
      "tsx",
      "--conditions=@typekube/source",
      script,
      path,
    ]);
    const run = await runs.begun();
    expect((await finished).stdout.trim()).toBe("DeadlineExceeded");
    expect(run.isGone()).toBe(false);
    run.end();
    await run.gone;
  });
});
