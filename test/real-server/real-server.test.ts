import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigMap } from "@typekube/api/core/v1";
import { isExpired, isForbidden, isNetworkError } from "@typekube/core";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect } from "typekube";
import { afterAll, beforeAll, describe, test, vi } from "vitest";

const assets = await findAssets();

describe.skipIf(assets === undefined)("a real API server", () => {
  let server: RealServer;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
  });
  afterAll(() => server?.close());

  test("responds to the admin and reports its version", async () => {
    await using client = await connect(server.connectOptions());
    assert.equal((await client.version()).gitVersion, "v1.37.1");
  });

  test("authenticates the viewer and denies it everything", async () => {
    await using client = await connect(server.connectOptions("viewer"));
    await assert.rejects(client.resource(ConfigMap, "default").list(), isForbidden);
  });

  test("writes a kubeconfig that only the owner can read", async () => {
    const path = join(server.folder, "kubeconfig");
    await server.kubeconfig(path);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await using client = await connect({ kubeconfig: path });
    assert.equal((await client.version()).gitVersion, "v1.37.1");
  });

  test("forgets old resourceVersions when compacted, and keeps the objects", async () => {
    await using client = await connect(server.connectOptions());
    const configMaps = client.resource(ConfigMap, "kube-system");
    const { metadata } = await configMaps.create({ metadata: { name: "kept" } });
    await server.compact();
    assert.equal((await configMaps.get("kept")).metadata.uid, metadata.uid);
    const { resourceVersion } = metadata;
    await assert.rejects(
      configMaps.list({ resourceVersion, resourceVersionMatch: "Exact" }),
      isExpired,
    );
  });

  test("does not respond while it is paused", async () => {
    await using client = await connect(server.connectOptions());
    await client.version();
    await server.pause();
    try {
      await assert.rejects(client.version({ timeoutMs: 300 }), { code: "DeadlineExceeded" });
    } finally {
      server.resume();
    }
    await client.version();
  });

  test("leaves nothing behind when it is closed", async () => {
    const other = (await startRealServer()) as RealServer;
    const options = other.connectOptions();
    await other.close();
    await other.close();
    assert.equal(existsSync(other.folder), false);
    await using client = await connect(options);
    await assert.rejects(client.version(), isNetworkError);
  });
});

test("without programs and without permission to build them, logs one line and starts no server", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const nowhere = { XDG_CACHE_HOME: "/nonexistent", KUBEBUILDER_ASSETS: "/nonexistent" };
    assert.equal(await findAssets(nowhere), undefined);
    assert.equal(warn.mock.calls.length, 1);
    assert.match(String(warn.mock.calls[0]), /^NO REAL API SERVER: .*TYPEKUBE_BUILD_SERVER=1/);
  } finally {
    warn.mockRestore();
  }
});
