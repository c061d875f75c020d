// The operator as it runs in a cluster: one of its replicas leads, the others are ready to take over. All of them review.
import { connect } from "typekube";
import { startManager } from "typekube/controller";
import { memoryDns } from "./dns.js";
import { shopHooks } from "./shop-hooks.js";
import { shopController } from "./shops.js";

await using client = await connect();
await using manager = await startManager(client, {
  controllers: [shopController(memoryDns())],
  leaderElection: { name: "shop-operator" },
  webhooks: { handlers: [shopHooks], service: "shop-operator" },
  signals: true,
});
await manager.done;
