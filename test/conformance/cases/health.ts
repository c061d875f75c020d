import assert from "node:assert/strict";
import { isForbidden, isNotFound, isUnauthorized, KubeError } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";

/** Cases for health endpoints. */
export const health: readonly ConformanceCase[] = [
  {
    id: "HLT1",
    name: "each health endpoint of a healthy server returns ok with its checks",
    async run({ client, signal }) {
      for (const endpoint of ["livez", "readyz", "healthz"] as const) {
        const { ok, checks, text } = await client.health(endpoint, { signal });
        assert.equal(ok, true, text);
        assert.ok(checks.length > 3, text);
        assert.ok(checks.some(({ name }) => name === "ping"));
        assert.ok(checks.every((check) => check.ok && !check.excluded && check.message === "ok"));
        assert.match(text, /(livez|readyz|healthz) check passed\n$/);
      }
    },
  },
  {
    id: "HLT2",
    name: "with verbose: false, health returns only the result",
    async run({ client, signal }) {
      const { ok, checks, text } = await client.health("livez", { verbose: false, signal });
      assert.deepEqual([ok, checks, text], [true, [], "ok"]);
    },
  },
  {
    id: "HLT5",
    name: "health excludes checks by name, unknown names included",
    async run({ client, signal }) {
      const exclude = ["etcd", "nothing-of-that-name"];
      const { ok, checks } = await client.health("readyz", { exclude, signal });
      assert.equal(ok, true);
      const etcd = checks.find(({ name }) => name === "etcd");
      assert.deepEqual(etcd, { name: "etcd", ok: true, excluded: true, message: "excluded: ok" });
      assert.ok(checks.some(({ excluded }) => !excluded));
    },
  },
  {
    id: "HLT6",
    name: "health requests one check by its name, slashes included; an unknown check fails with NotFound",
    async run({ client, signal }) {
      const { checks } = await client.health("livez", { signal });
      const named = checks.filter(({ name }) => name === "ping" || name.includes("/")).slice(0, 4);
      assert.ok(named.length > 1);
      for (const { name: check } of named) {
        const one = await client.health("livez", { check, signal });
        assert.deepEqual(one.checks, [{ name: check, ok: true, excluded: false, message: "" }]);
      }
      const missing = client.health("livez", { check: "nothing-of-that-name", signal });
      await assert.rejects(missing, isNotFound);
    },
  },
  {
    id: "HLT8",
    name: "an Unauthorized or Forbidden health request fails and does not report an unhealthy server",
    needs: ["users"],
    async run({ clientOf, signal }) {
      await using stranger = await clientOf("stranger");
      await assert.rejects(
        stranger.health("readyz", { signal }),
        (error) => isUnauthorized(error) || isForbidden(error),
      );
      await using viewer = await clientOf("viewer");
      const seen = await viewer.health("readyz", { signal }).catch((error: unknown) => error);
      // Every authenticated user may read the endpoint, provided the public discovery role exists.
      assert.ok(seen instanceof KubeError ? isForbidden(seen) : (seen as { ok: boolean }).ok);
    },
  },
];
