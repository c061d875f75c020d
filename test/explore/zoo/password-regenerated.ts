import type { Scenario } from "@typekube/apiserver/testing";
import { Secret } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { animal } from "./animal.js";
import { Database } from "./external-systems.js";
import { changeShop, createShop, Shop, shopDefinition } from "./shop.js";

type Systems = { readonly database: Database };

const common: Pick<Scenario<Systems>, "converged" | "externals" | "load" | "steps"> = {
  load: [shopDefinition],
  externals: { database: () => new Database() },
  steps: {
    "create a shop": createShop("tea"),
    "change its image": changeShop("tea", { image: "shop:2" }),
  },
  converged: (world) => {
    const stored = world.get(Secret, "tea")?.data?.["password"] ?? "";
    const password = Buffer.from(stored, "base64").toString();
    return (
      (password !== "" && password === world.externals.database.passwords.get("tea")) ||
      "the password of the Secret is not that of the database"
    );
  },
};

/** Takes a failed read of a Secret for a missing one, and makes a new password. */
export const passwordRegenerated = animal<Systems>({
  bug: "an error of a read counts as not found",
  source: "https://github.com/infinispan/infinispan-operator/issues/2598",
  kinds: ["did not converge"],
  by: ["refuse"],
  buggy: {
    ...common,
    operator: ({ random, externals: { database } }) =>
      defineController(Shop, {
        reads: [Secret],
        async reconcile({ metadata: { name } }, run) {
          const secret = await run.live.get(Secret, name).catch(() => undefined);
          let password = Buffer.from(secret?.data?.["password"] ?? "", "base64").toString();
          if (password === "") {
            password = random().toString(36).slice(2);
            await run.apply(Secret, { metadata: { name }, stringData: { password } });
          }
          await database.createUser(name, password);
        },
      }),
  },
  fixed: {
    ...common,
    operator: ({ random, externals: { database } }) =>
      defineController(Shop, {
        reads: [Secret],
        async reconcile({ metadata: { name } }, run) {
          const secret = await run.live.get(Secret, name);
          let password = Buffer.from(secret?.data?.["password"] ?? "", "base64").toString();
          if (password === "") {
            password = random().toString(36).slice(2);
            await run.create(Secret, { metadata: { name }, stringData: { password } });
          }
          await database.createUser(name, password);
        },
      }),
  },
});
