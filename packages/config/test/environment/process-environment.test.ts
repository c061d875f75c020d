import { expect, test } from "vitest";
import {
  processEnvironment,
  readableEnvironment,
} from "../../src/environment/process-environment.js";
import { resolveConfig } from "../../src/resolve-config.js";

/** An environment as in Deno without `--allow-env`, or with some variables allowed. */
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

test("treats a variable without permission as unset", () => {
  const env = readableEnvironment(denied({ KUBECONFIG: "/a" }));
  expect(env["KUBECONFIG"]).toBe("/a");
  expect(env["HOME"]).toBeUndefined();
  expect("HOME" in env).toBe(false);
  expect({ ...env }).toEqual({});
});

test("keeps all readable variables, also in copies", () => {
  const env = readableEnvironment({ A: "1", B: undefined, C: "" });
  expect({ ...env }).toEqual({ A: "1", C: "" });
  expect(Object.entries(env)).toEqual([
    ["A", "1"],
    ["C", ""],
  ]);
});

test("connecting with server and token needs no variable", async () => {
  const env = readableEnvironment(denied());
  const config = await resolveConfig({ server: "https://example.com", token: "t", env });
  expect(config.server).toBe("https://example.com");
});

test("the error names the missing configuration when no variable is readable", async () => {
  const env = readableEnvironment(denied());
  await expect(resolveConfig({ env, homeDir: "/nonexistent" })).rejects.toThrow(
    "no configuration found",
  );
});

test("on Node returns process.env itself", () => {
  expect(processEnvironment()).toBe(process.env);
});
