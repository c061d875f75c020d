import { startApiServer } from "@typekube/apiserver";
import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { expect, test } from "vitest";

const election = { leaderElection: { name: "operator", namespace: "default" } };

test.each([{}, election])(
  "CM1, CL14: a manager reads and writes over sockets: %j",
  async (options) => {
    await using api = await startApiServer();
    const { server } = await api.listen({ tls: false, anonymous: true });
    await using client = await connect({ server });
    const configMaps = client.resource(ConfigMap, "default");
    await configMaps.create({ metadata: { name: "a" }, data: { key: "value" } });
    const errors: unknown[] = [];
    const controller = defineController(ConfigMap, {
      async reconcile(object) {
        if (object.metadata.name === "a") {
          await configMaps.create({
            metadata: { name: "copy" },
            data: { key: "value" },
          });
        }
      },
    });
    await using _ = await startManager(client, {
      controllers: [controller],
      log: ({ level, error }) => {
        if (level === "error") {
          errors.push(error);
        }
      },
      ...options,
    });
    await expect.poll(() => configMaps.find("copy")).toMatchObject({ data: { key: "value" } });
    expect(errors).toEqual([]);
  },
);
