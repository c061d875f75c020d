import { expect, test } from "vitest";
import { networkError } from "../../src/errors/network-error.js";
import { defaultUserAgent } from "../../src/options/user-agent.js";

const machine = { platform: "linux", arch: "x64" };

test.each([
  [{ node: "20.19.0" }, "node/20"],
  [{ node: "26.3.0", bun: "1.4.5" }, "bun/1"],
  [{ node: "24.2.0", deno: "2.9.6" }, "deno/2"],
])("the User-Agent names the runtime: %o", (versions, runtime) => {
  expect(defaultUserAgent({ ...machine, versions })).toMatch(
    new RegExp(`^typekube/\\S+ \\(linux/x64\\) ${runtime}$`),
  );
});

test("names the permission when Deno denies undici a variable", () => {
  const denial = Object.assign(new Error('Requires env access to "JEST_WORKER_ID"'), {
    name: "NotCapable",
  });
  const error = networkError(denial, {
    host: "example.com:443",
    secure: true,
    request: { method: "GET", path: "/api" },
    phase: "connection",
    received: 0,
    expected: undefined,
    hadResponse: false,
    hasCa: true,
  });
  expect(error.code).toBe("NetworkError");
  expect(error.message).toContain("--allow-env=JEST_WORKER_ID,UNDICI_NO_WASM_SIMD");
});
