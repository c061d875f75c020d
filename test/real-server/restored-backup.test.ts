import { setTimeout as pause } from "node:timers/promises";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect, type Live } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, test } from "vitest";

const hasReal = (await findAssets()) !== undefined;

test.skipIf(!hasReal)(
  "WAT17: an informer converges to the server's state after etcd was restored from a backup",
  { timeout: 480_000 },
  async () => {
    await using server = await startRealServer();
    if (server === undefined) {
      return;
    }
    await using client = await connect(server.connectOptions());
    const maps = client.resource(ConfigMap, "default");
    const create = (name: string) => maps.create({ metadata: { name } });
    await create("kept");
    await create("deleted-later");
    await server.backUp();
    const errors: string[] = [];
    await using informer = client.informer(ConfigMap, {
      namespace: "default",
      // Detects silence after a second and a half instead of a minute and a quarter.
      idleMs: 1_500,
      backoff: { maxMs: 1_000 },
      onError: ({ message }) => errors.push(message),
    });
    const rebuilt = new Map<string, Live<ConfigMap>>();
    const set = (object: Live<ConfigMap>) => void rebuilt.set(object.metadata.name, object);
    informer.onChange({
      add: set,
      update: set,
      delete: ({ metadata }) => rebuilt.delete(metadata.name),
    });
    await informer.synced();
    for (let n = 0; n < 200; n++) {
      await create(`lost-${n}`);
    }
    await maps.delete("deleted-later");
    const { metadata } = await create("lost-too");
    await informer.caughtUpTo(metadata.resourceVersion);
    await server.restore();
    await create("new");
    const names = async () => (await maps.list()).items.map((map) => map.metadata.name).sort();
    const wanted = await names();
    expect(wanted).toEqual(expect.arrayContaining(["deleted-later", "kept", "new"]));
    expect(wanted.length).toBeLessThan(10);
    while (informer.list().length !== wanted.length) {
      await pause(100);
    }
    expect(
      informer
        .list()
        .map((map) => map.metadata.name)
        .sort(),
    ).toEqual(wanted);
    // The watch continues from the server's current resourceVersion.
    const last = await create("last");
    await informer.caughtUpTo(last.metadata.resourceVersion, { timeoutMs: 240_000 });
    expect([...rebuilt.keys()].sort()).toEqual(await names());
    console.log(`restored: ${errors.length} failures reported`);
  },
);
