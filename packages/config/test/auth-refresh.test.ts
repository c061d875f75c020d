import { channel } from "node:diagnostics_channel";
import type { CredentialsRefreshed } from "@typekube/core/internal";
import { folder } from "@typekube/test-support/kubeconfig-files";
import { manualClock } from "@typekube/test-support/manual-clock";
import { tokenFile } from "@typekube/transport";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { direct } from "./helpers/exec.js";
import { fakePlugin, pulse } from "./helpers/fake-plugin.js";

let received: CredentialsRefreshed[] = [];
const listener = (message: unknown) => void received.push(message as CredentialsRefreshed);
beforeEach(() => {
  received = [];
  channel("typekube:auth.refresh").subscribe(listener);
});
afterEach(() => void channel("typekube:auth.refresh").unsubscribe(listener));

/** Published outcomes, without the object that identifies the credentials. */
const outcomes = () =>
  received.map(({ credentials: _, error, ...rest }) => ({
    ...rest,
    ...(error ? { error: true } : {}),
  }));

const fails = (promise: Promise<unknown> | undefined) =>
  expect(promise).rejects.toMatchObject({ name: "KubeError" });

describe("X12: publishes the outcome of each plugin run", () => {
  test("publishes a success with its expiry: first run, refresh before expiry, refresh after a 401", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    const clock = manualClock();
    const at = (ms: number) => new Date(ms).toISOString();
    await plugin.plan(
      { status: { token: "canary-1", expirationTimestamp: at(clock.now() + 60_000) } },
      { status: { token: "canary-2", expirationTimestamp: at(clock.now() + 600_000) } },
      { status: { token: "canary-3" } },
    );
    const credentials = direct(plugin, {}, { clock });
    const begunAt = clock.now();
    await credentials.headers();
    clock.advance(59_000);
    const headers = await credentials.headers();
    await credentials.refresh?.({ headers });
    expect(outcomes()).toEqual([
      { source: "exec", reason: "first", ok: true, expiresAt: begunAt + 60_000 },
      { source: "exec", reason: "expiry", ok: true, expiresAt: begunAt + 600_000 },
      { source: "exec", reason: "unauthorized", ok: true },
    ]);
    expect(new Set(received.map((event) => event.credentials)).size).toBe(1);
    expect(JSON.stringify(received)).not.toContain("canary");
  });

  test("publishes each failure: exit, output, missing, denied, timeout, aborted", async () => {
    await using dir = await folder();
    const plugin = await fakePlugin(dir);
    await plugin.plan({ exitCode: 3, output: "canary-token-of-a-failed-run" });
    await fails(direct(plugin).headers());
    await plugin.plan({ output: "{}" });
    await fails(direct(plugin).headers());
    await fails(direct(plugin, { command: `${plugin.path}-not-there` }).headers());
    await fails(direct(plugin, {}, { policy: "none" }).headers());
    await using beat = await pulse();
    await plugin.plan({ hangs: beat.port });
    const clock = manualClock();
    const slow = direct(plugin, {}, { clock, timeoutMs: 1000 }).headers();
    const run = await beat.begun();
    clock.advance(1000);
    await fails(slow);
    clock.advance(60_000);
    await run.gone;
    const controller = new AbortController();
    const left = direct(plugin, {}, { clock }).headers({ signal: controller.signal });
    const second = await beat.begun();
    controller.abort(new Error("no more"));
    await expect(left).rejects.toThrow("no more");
    clock.advance(60_000);
    await second.gone;
    expect(received.map(({ ok, failure }) => [ok, failure])).toEqual([
      [false, "exit"],
      [false, "output"],
      [false, "missing"],
      [false, "denied"],
      [false, "timeout"],
      [false, "aborted"],
    ]);
    expect(received.map(({ error }) => String(error)).join()).not.toContain("canary");
  });
});

test("a token file publishes new tokens and failed reads, but not reads of the same token", async () => {
  const clock = manualClock();
  const responses: (Error | string)[] = ["one", "one", "two", new Error("disk"), "three"];
  const read = async () => {
    const response = responses.shift() ?? "";
    if (response instanceof Error) {
      throw response;
    }
    return response;
  };
  const credentials = tokenFile("/t", { clock, read });
  for (let i = 0; i < 4; i += 1) {
    await credentials.headers();
    clock.advance(60_000);
  }
  await credentials.refresh?.({ headers: { authorization: "Bearer two" } });
  expect(outcomes()).toEqual([
    { source: "token-file", reason: "first", ok: true },
    { source: "token-file", reason: "changed", ok: true },
    { source: "token-file", reason: "changed", ok: false, error: true },
    { source: "token-file", reason: "unauthorized", ok: true },
  ]);
});
