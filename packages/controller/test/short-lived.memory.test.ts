import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import type { Client } from "typekube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineController } from "../src/index.js";
import { createManager } from "../src/internal.js";

/*
 * V8 collects the young generation often and cheaply, and the rest rarely. Some constructs let an object outlive the
 * young generation with everything that it holds: literals with getters, classes and generators within functions, values
 * of a WeakMap that refer to their key, WeakRef, FinalizationRegistry, AbortSignal.any. A program that creates clients,
 * calls and informers all the time would spend a sixth of its time on them.
 */

/** Uses between two collections. */
const uses = 30;
const mostRounds = 4;

const collect = globalThis.gc as unknown as (options?: { readonly type: "minor" }) => void;
const turn = () => new Promise((resolve) => setImmediate(resolve));

let base: ApiServer;

beforeAll(async () => {
  base = await startApiServer({ seed: 1 });
});
afterAll(() => base.close());

const create = (client: Client) =>
  client.resource(ConfigMap, "default").create({ metadata: { name: "tea" } });

/** The uses, and the kilobytes that each may leave to the next full collection: half of what it was. */
const shortLived: Readonly<
  Record<
    string,
    { readonly mostKb: number; readonly use: (client: Client, fork: ApiServer) => unknown }
  >
> = {
  "a fork with a client": { mostKb: 15, use: () => undefined },
  "a write": { mostKb: 20, use: create },
  "a walk over pages": {
    mostKb: 20,
    use: async (client) => {
      for await (const item of client.resource(ConfigMap, "*").items()) {
        expect(item.kind).toBe("ConfigMap");
      }
    },
  },
  "resource clients": {
    mostKb: 15,
    use: (client) => {
      client
        .resource(Deployment, "default")
        .scale.get("a")
        .catch(() => {});
      return client.resource({ apiVersion: "apps/v1", kind: "Deployment" }, "default");
    },
  },
  "a watch": {
    mostKb: 30,
    use: async (client, fork) => {
      const events = client.resource(ConfigMap, "default").watch()[Symbol.asyncIterator]();
      const first = events.next();
      await create(client);
      await first;
      fork.dropWatches();
      await events.return?.();
    },
  },
  "an informer with a handler": {
    mostKb: 42,
    use: async (client) => {
      const informer = client.informer(ConfigMap);
      informer.onChange({ add() {} });
      await informer.synced();
      await create(client);
      await informer.close();
    },
  },
  "an informer that keeps some fields": {
    mostKb: 38,
    use: async (client) => {
      const informer = client.informer(ConfigMap, { fields: ["metadata.labels"] });
      await informer.synced();
      await informer.close();
    },
  },
  "controllers with an apply": {
    mostKb: 60,
    use: async (client) => {
      const controller = defineController(ConfigMap, {
        owns: [Deployment],
        async reconcile({ metadata }, run) {
          await run.apply(ConfigMap, { metadata: { name: `${metadata.name}-child` } });
        },
      });
      const manager = createManager(client, { controllers: [controller], events: "off" }, []);
      await manager.start();
      await create(client);
      await turn();
      await manager.stop();
    },
  },
};

test.each(Object.keys(shortLived))(
  "%s: the young generation's collections free it",
  async (name) => {
    const { mostKb, use } = shortLived[name] ?? expect.unreachable();
    const useOnce = async () => {
      const fork = base.fork();
      const client = await fork.client();
      await use(client, fork);
      await client.close();
      await fork.close();
      await turn();
    };
    const heapAfterUses = async () => {
      for (let done = 0; done < uses; done += 1) {
        await useOnce();
      }
      collect({ type: "minor" });
      await turn();
      return process.memoryUsage().heapUsed;
    };
    const left: number[] = [];
    // While code is new, what the engine learns of it takes memory as well.
    while (left.length < mostRounds && !(Math.min(...left) < mostKb)) {
      collect();
      await turn();
      collect();
      await heapAfterUses();
      const begin = await heapAfterUses();
      await heapAfterUses();
      left.push(((await heapAfterUses()) - begin) / (2 * uses) / 1_000);
    }
    expect(Math.min(...left), left.join(", ")).toBeLessThan(mostKb);
  },
);
