import { expect, it } from "vitest";
import { goCommand, goProgramOf } from "../src/go-programs.js";

it.each([
  ["list-client-go", "client-go"],
  ["controller-queue-controller-runtime", "controller-runtime"],
  ["cel-small-cel-go", "cel-go"],
  ["controller-queue-typekube", undefined],
  ["list-client-node", undefined],
  ["pod-cp-kubectl", "kubectl"],
])("the cell %s belongs to %s", (cell, program) => {
  expect(goProgramOf(cell)).toBe(program);
});

const input = { url: "http://127.0.0.1:1", count: 5, variant: "16 g1" };

it("a program gets its own name of the task, and one core only when asked", () => {
  const command = goCommand("controller-runtime", "controller-webhook-controller-runtime", input);
  expect(command.file).toMatch(/controller-runtime-cells$/);
  expect(command.arguments).toEqual(["webhook", input.url, "5", "16 g1"]);
  expect(command.env["GOMAXPROCS"]).toBe("1");
  const other = goCommand("client-go", "informer-events-client-go", { ...input, variant: "json" });
  expect(other.arguments[0]).toBe("informer-events");
  expect(other.env["GOMAXPROCS"]).toBe("2");
});

it("a process learns when it was started, and a webhook what sends it reviews", () => {
  const before = Date.now();
  const load = { command: ["node", "load.js"], certificates: "/certificates" };
  const { env } = goCommand("controller-runtime", "x-controller-runtime", { ...input, load });
  expect(Number(env["BENCH_STARTED_AT"])).toBeGreaterThanOrEqual(before);
  expect(JSON.parse(env["BENCH_LOAD"] ?? "")).toEqual(load.command);
  expect(env["BENCH_CERTIFICATES"]).toBe("/certificates");
});
