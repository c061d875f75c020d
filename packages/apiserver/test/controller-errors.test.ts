import { ConfigMap } from "@typekube/api/core/v1";
import type { ApiServerOptions } from "@typekube/apiserver";
import { stage } from "@typekube/apiserver/controllers";
import type { KubeError } from "@typekube/core";
import { call, configMaps, createConfigMaps, type Json } from "@typekube/test-support/api-calls";
import { describe, expect, it } from "vitest";
import { start } from "./controlled-server.js";

/** A stage that fails while `broken` contains the name of the object. */
function fragile(broken: Set<string>) {
  return stage(ConfigMap, {
    when: ({ data }) => data?.["done"] === undefined,
    set: ({ metadata }) => {
      if (broken.has(metadata.name)) {
        throw new TypeError(`cannot read ${metadata.name}`);
      }
      return { data: { done: "yes" } };
    },
  });
}

/** Starts a server that records the errors of its controllers. */
async function recorded(options: ApiServerOptions) {
  const errors: KubeError[] = [];
  const api = await start({ ...options, onError: (error) => void errors.push(error) });
  return { api, errors };
}

const done = async (api: Parameters<typeof call>[0], name: string): Promise<Json> =>
  (await call(api, "GET", `${configMaps}/${name}`)).body.data?.done;

/** Collects what would end the process, and its warnings, while `run` runs. */
async function observeProcess(run: () => Promise<void>) {
  const uncaught: unknown[] = [];
  const warnings: Error[] = [];
  const listeners = process.listeners("uncaughtException");
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => void uncaught.push(error));
  process.on("warning", onWarning);
  try {
    await run();
    // Warnings are emitted on the next tick, uncaught exceptions in the next turn.
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  } finally {
    process.off("warning", onWarning);
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) {
      process.on("uncaughtException", listener);
    }
  }
  return { uncaught, warnings };
}

describe("an error of a controller that is not a rejected write", () => {
  it("is passed to onError with the controller and the key, and other objects go on", async () => {
    const { api, errors } = await recorded({ stages: [fragile(new Set(["a"]))] });
    await using _ = api;
    const { uncaught } = await observeProcess(async () => {
      await createConfigMaps(api, "a", "b");
      await api.settled();
    });
    expect(uncaught).toEqual([]);
    expect(errors.map(String)).toEqual([
      'KubeError: [InternalError] the controller "stages of configmaps" failed on default/a: cannot read a',
    ]);
    expect(errors[0]?.cause).toBeInstanceOf(TypeError);
    expect([await done(api, "a"), await done(api, "b")]).toEqual([undefined, "yes"]);
  });

  it("is retried with back-off", async () => {
    const broken = new Set(["a"]);
    const { api, errors } = await recorded({ stages: [fragile(broken)] });
    await using _ = api;
    await createConfigMaps(api, "a");
    await api.settled();
    for (const [afterMs, count] of [
      [99, 1],
      [1, 2],
      [199, 2],
      [1, 3],
      [399, 3],
    ] as const) {
      await api.clock.advance(afterMs);
      expect(errors).toHaveLength(count);
    }
    broken.clear();
    await api.clock.advance(1);
    expect(await done(api, "a")).toBe("yes");
    expect(errors).toHaveLength(3);
  });

  it("without onError is printed as a warning, at most once a minute for each controller", async () => {
    const { uncaught, warnings } = await observeProcess(async () => {
      await using api = await start({ stages: [fragile(new Set(["a", "b"]))] });
      await createConfigMaps(api, "a", "b");
      await api.settled();
      await api.clock.advance(110_000);
    });
    expect(uncaught).toEqual([]);
    const own = warnings.filter((one) => (one as { code?: string }).code === "TYPEKUBE_APISERVER");
    expect(own.map(({ message }) => message)).toEqual([
      expect.stringContaining('the controller "stages of configmaps" failed on default/a'),
      expect.stringMatching(
        /failed on default\/[ab]: .* \(\d+ more errors since the last warning\)/,
      ),
    ]);
  });

  it("becomes an uncaught exception if onError throws it", async () => {
    const { uncaught } = await observeProcess(async () => {
      await using api = await start({
        stages: [fragile(new Set(["a"]))],
        onError: (error) => {
          throw error;
        },
      });
      await createConfigMaps(api, "a", "b");
      await api.settled();
      expect(await done(api, "b")).toBe("yes");
    });
    expect(uncaught.map(String)).toEqual([expect.stringContaining("failed on default/a")]);
  });

  it("reports stages that form a loop", async () => {
    const flip = stage(ConfigMap, {
      set: ({ data }) => ({ data: { count: String(Number(data?.["count"] ?? 0) + 1) } }),
    });
    const { api, errors } = await recorded({ stages: [flip] });
    await using _ = api;
    await createConfigMaps(api, "a");
    await api.settled();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("the stages of configmaps change default/a in an endless loop"),
    ]);
    expect(errors[0]?.cause).toMatchObject({ code: "InvalidArgument" });
  });

  it("rejects an onError that is not a function", async () => {
    await expect(start({ onError: "console" as never })).rejects.toMatchObject({
      code: "InvalidArgument",
    });
  });
});
