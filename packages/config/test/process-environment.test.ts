import { expect, test } from "vitest";
import { processEnvironment, readableEnvironment } from "../src/process-environment.js";
import { resolveConfig } from "../src/resolve-config.js";

/** An environment as Deno has it without `--allow-env`, or with a few variables allowed. */
function denied(allowed: Record<string, string> = {}): Record<string, string> {
  const refuse = (name: PropertyKey): never => {
    throw Object.assign(new Error(`Requires env access to "${String(name)}"`), {
      name: "NotCapable",
    });
  };
  return new Proxy(allowed, {
    get: (variables, name) => (name in variables ? variables[String(name)] : refuse(name)),
    has: (variables, name) => name in variables || refuse(name),
    ownKeys: () => refuse("all"),
    getOwnPropertyDescriptor: (_variables, name) => refuse(name),
  });
}

test("a variable that may not be read is unset", () => {
  const env = readableEnvironment(denied({ KUBECONFIG: "/a" }));
  expect(env["KUBECONFIG"]).toBe("/a");
  expect(env["HOME"]).toBeUndefined();
  expect("HOME" in env).toBe(false);
  expect({ ...env }).toEqual({});
});

test("variables that may be read are all there, also in copies", () => {
  const env = readableEnvironment({ A: "1", B: undefined, C: "" });
  expect({ ...env }).toEqual({ A: "1", C: "" });
  expect(Object.entries(env)).toEqual([
    ["A", "1"],
    ["C", ""],
  ]);
});

test("server and token need no variable", async () => {
  const env = readableEnvironment(denied());
  const config = await resolveConfig({ server: "https://example.com", token: "t", env });
  expect(config.server).toBe("https://example.com");
});

test("without a readable variable the error names what is missing", async () => {
  const env = readableEnvironment(denied());
  await expect(resolveConfig({ env, homeDir: "/nonexistent" })).rejects.toThrow(
    "no configuration found",
  );
});

test("on Node it is process.env itself", () => {
  expect(processEnvironment()).toBe(process.env);
});
