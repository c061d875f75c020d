import { describe, expect, test } from "vitest";
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
});

test.each([{ ticks: 0 }, { ticks: Number.NaN }, { ticks: 1.5 }])(
  "ES24: rejects isSteady options without any check: %o",
  async (options) => {
    await using api = await startApiServer({ clock: "virtual" });
    await expect(api.isSteady(options)).rejects.toThrow("InvalidArgument");
  },
);
