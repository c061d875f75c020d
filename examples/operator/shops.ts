import { conditions } from "typekube";
import { Deployment } from "typekube/api/apps/v1";
import { Secret, Service } from "typekube/api/core/v1";
import {
  anyOf,
  type Controller,
  defineController,
  generationChanged,
  labelsChanged,
  terminal,
} from "typekube/controller";
import type { Dns } from "./dns.js";
import { Shop } from "./shop.js";
import { deploymentOf, serviceOf } from "./shop-parts.js";

/** Creates the controller of shops. */
export function shopController(dns: Dns): Controller<Shop> {
  return defineController(Shop, {
    owns: [Deployment, Service],
    watches: [{ kind: Secret, by: ({ spec }) => (spec.credentials ? [spec.credentials] : []) }],
    when: anyOf(generationChanged, labelsChanged),
    reasons: ["Published"],
    concurrency: 4,
    timeoutMs: 30_000,

    async reconcile(shop, run) {
      const { credentials, host, image } = shop.spec;
      if (credentials && run.get(Secret, credentials) === undefined) {
        return run.notReady("WaitingForSecret", `the Secret ${credentials} is missing`);
      }
      if (image === "") {
        throw terminal("the image is empty");
      }
      const web = await run.apply(Deployment, deploymentOf(shop));
      await run.apply(Service, serviceOf(shop));
      const isReady = conditions.rolledOut()(web);
      await run.status.set({
        readyReplicas: web.status?.readyReplicas ?? 0,
        conditions: [
          {
            type: "Ready",
            status: isReady ? "True" : "False",
            reason: isReady ? "RolledOut" : "RollingOut",
          },
        ],
      });
      if (!isReady) {
        // The Deployment's next change brings the controller back.
        return undefined;
      }
      const url = `https://${host}`;
      if (shop.status?.url !== url) {
        await dns.set(host, run.signal);
        run.events.normal(shop, "Published", `at ${url}`);
      }
      return { status: { url } };
    },

    async finalize({ spec }, run) {
      await dns.remove(spec.host, run.signal);
    },
  });
}

/** For `typekube rbac`: the rights don't depend on the names. */
export const controllers = [
  shopController({ set: async () => undefined, remove: async () => undefined }),
];
