import type { Client } from "typekube";
import { Service } from "typekube/api/core/v1";
import { animal } from "./animal.js";
import { sleep, untilDone } from "./plain-operator.js";
import { createShop, shopDefinition, shopsOf } from "./shop.js";

const common = { load: [shopDefinition], steps: { "create a shop": createShop("tea") } };

const everyMs = 4_000;

const servicesOf = (client: Client) => client.resource(Service, "default");

const serviceFor = (name: string) => ({
  metadata: { name },
  spec: { selector: { shop: name }, ports: [{ port: 80 }] },
});

/** Compares Services of an earlier process with what it would create, which lacks the defaults of the server. */
export const updateLoop = animal({
  bug: "an object without defaults is compared with one that has them",
  source: "https://github.com/OT-CONTAINER-KIT/redis-operator/issues/1773",
  kinds: ["endless writes"],
  by: ["crash"],
  buggy: {
    ...common,
    operator: async (context) => {
      const { client, signal } = context;
      const created = new Set<string>();
      while (!signal.aborted) {
        await untilDone(context, async () => {
          for (const { metadata } of (await shopsOf(client).list()).items) {
            const wanted = serviceFor(metadata.name);
            const service = created.has(metadata.name)
              ? wanted
              : await servicesOf(client).find(metadata.name);
            if (service === undefined) {
              await servicesOf(client).create(wanted);
              created.add(metadata.name);
            } else if (JSON.stringify(service.spec) !== JSON.stringify(wanted.spec)) {
              await servicesOf(client).update({
                ...wanted,
                metadata: { ...service.metadata, ...wanted.metadata },
              });
            }
          }
        });
        await sleep(context, everyMs);
      }
    },
  },
  fixed: {
    ...common,
    operator: async (context) => {
      const { client, signal } = context;
      while (!signal.aborted) {
        await untilDone(context, async () => {
          for (const { metadata } of (await shopsOf(client).list()).items) {
            const wanted = serviceFor(metadata.name);
            const service = await servicesOf(client).find(metadata.name);
            if (service === undefined) {
              await servicesOf(client).create(wanted);
            } else if (
              service.spec?.selector?.["shop"] !== metadata.name ||
              service.spec.ports?.[0]?.port !== 80
            ) {
              await servicesOf(client).apply(wanted, { force: true });
            }
          }
        });
        await sleep(context, everyMs);
      }
    },
  },
});
