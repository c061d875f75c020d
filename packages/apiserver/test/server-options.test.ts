import { call } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { chosen } from "../src/controllers/controller-options.js";
import { runPods } from "../src/controllers/index.js";
import { type ApiServerOptions, startApiServer } from "../src/index.js";

describe("rejects invalid server options", () => {
  test.each<[string, object]>([
    ['authorization is "rbac"', { authorization: "rbac" }],
    ['controllers has no option "deploments"', { controllers: { deploments: true } }],
    ['controllers is "all"', { controllers: "all" }],
    ['clock is "fake"', { clock: "fake" }],
    ["clock is {}", { clock: {} }],
    ["historyLimit is NaN", { historyLimit: Number.NaN }],
    ["historyLimit is -1", { historyLimit: -1 }],
    ["journalLimit is -1", { journalLimit: -1 }],
    ["historyAgeMs is NaN", { historyAgeMs: Number.NaN }],
    ["establishDelayMs is -1", { establishDelayMs: -1 }],
  ])("rejects an invalid server option: %s", async (message, options) => {
    await expect(startApiServer(options as ApiServerOptions)).rejects.toMatchObject({
      code: "InvalidArgument",
      message: expect.stringContaining(message),
    });
  });

  test("accepts omitted options and infinite limits", async () => {
    const unlimited = Number.POSITIVE_INFINITY;
    await using api = await startApiServer({
      authorization: undefined,
      clock: "real",
      controllers: { jobs: undefined } as object,
      historyLimit: unlimited,
      historyAgeMs: unlimited,
      journalLimit: unlimited,
    });
    expect(api.warnings).toEqual([]);
  });

  test("an option that is undefined has its default, like an omitted one", async () => {
    await using api = await startApiServer({
      version: undefined,
      seed: undefined,
      clock: undefined,
      historyLimit: undefined,
      historyAgeMs: undefined,
      journalLimit: undefined,
      runtimeConfig: undefined,
      featureGates: undefined,
      resources: undefined,
      pods: undefined,
      controllers: { jobs: undefined, storageProtection: undefined, namespaces: true },
      stages: runPods({ node: undefined, readyAfterMs: undefined, when: undefined }),
    });
    await using usual = await startApiServer({ controllers: { namespaces: true } });
    const path = "/api/v1/namespaces/kube-system";
    const [one, other] = await Promise.all([call(api, "GET", path), call(usual, "GET", path)]);
    expect(one.body.metadata.uid).toBe(other.body.metadata.uid);
    const fault = api.fault({ status: 503, verb: undefined, times: undefined, event: undefined });
    expect((await call(api, "GET", path)).status).toBe(503);
    expect(fault.count).toBe(1);
    expect(chosen({ namespaces: true, storageProtection: undefined }).storageProtection).toBe(true);
  });
});

test.each([{ ticks: 0 }, { ticks: Number.NaN }, { ticks: 1.5 }])(
  "ES24: rejects isSteady options without any check: %o",
  async (options) => {
    await using api = await startApiServer({ clock: "virtual" });
    await expect(api.isSteady(options)).rejects.toThrow("InvalidArgument");
  },
);
