import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readBenchOptions } from "../src/bench-options.js";

it("a run has five rounds by default, a quick run two", () => {
  expect(readBenchOptions([])).toMatchObject({ quick: false, rounds: 5, json: undefined });
  expect(readBenchOptions(["--", "--quick"])).toMatchObject({ quick: true, rounds: 2 });
  expect(readBenchOptions(["--rounds", "1"]).rounds).toBe(1);
  expect([readBenchOptions([]).long, readBenchOptions(["--long"]).long]).toEqual([false, true]);
  const topicOf = (...args: string[]) => readBenchOptions(args).topic;
  expect([topicOf(), topicOf("--topic", "controllers")]).toEqual(["client", "controllers"]);
  expect(topicOf("--only", "list")).toBeUndefined();
  expect(topicOf("--only", "list", "--page", join(tmpdir(), "page.md"))).toBe("client");
  expect(readBenchOptions(["--only", "list|get"]).only.test("get-tls-1")).toBe(true);
});

it.each([
  [["--rounds", "0"], "--rounds must be an integer of at least 1, not 0"],
  [["--rounds", "many"], "--rounds must be an integer"],
  [["--page", "/nowhere/page.md"], "--page: the folder /nowhere does not exist"],
  [["--json", "/nowhere/results.json"], "--json: the folder /nowhere does not exist"],
  [["--page", join(tmpdir(), "page.txt")], "--page must end with .md"],
  [
    ["--topic", "nodes"],
    "--topic must be one of cel, client, controllers, explore, fields, pods, not nodes",
  ],
  [["--fast"], "--fast"],
])("rejects %j before anything is measured", (args, message) => {
  expect(() => readBenchOptions(args)).toThrow(message);
});
