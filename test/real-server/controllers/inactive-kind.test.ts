import { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { defineController, startManager } from "typekube/controller";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { brand, brandDefinition } from "../../../packages/controller/test/brand.js";

const hasReal = (await findAssets()) !== undefined;
/** Milliseconds in which an informer asks again for a kind that the server did not serve. */
const withinMs = 60_000;

describe.runIf(hasReal)("kinds whose definitions come and go on a real server", () => {
  let server: RealServer;
  let client: Client;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    client = await connect(server.connectOptions());
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  test("CD10: an owned cluster-wide kind is inactive, active, inactive and active again", async () => {
    const lines: string[] = [];
    const controller = defineController(
      { kind: ConfigMap, namespaces: ["default"], labelSelector: "brand=yes" },
      {
        name: "brands",
        owns: [brand],
        retry: { maxMs: 1_000 },
        async reconcile({ metadata }, run) {
          const track = { track: "label" } as const;
          await run.apply(brand, { metadata: { name: metadata.name } } as never, track);
        },
        finalize() {},
      },
    );
    const configs = client.resource(ConfigMap, "default");
    await configs.create({ metadata: { name: "acme", labels: { brand: "yes" } } });
    await using manager = await startManager(client, {
      controllers: [controller],
      log: ({ level, message }) => lines.push(`${level} ${message}`),
    });
    const inactive = () => manager.controller("brands").inactiveKinds;
    const made = () =>
      client
        .resource(brand)
        .find("acme")
        .catch(() => undefined);
    const definitions = client.resource(CustomResourceDefinition);
    const definition = brandDefinition("Cluster");
    expect(inactive()).toEqual(["example.com/v1/Brand"]);
    for (const _ of ["first", "again"]) {
      await definitions.create(definition as never);
      await expect.poll(made, { timeout: withinMs }).toBeDefined();
      await expect.poll(inactive, { timeout: withinMs }).toEqual([]);
      await definitions.delete(definition.metadata.name);
      await expect.poll(inactive, { timeout: withinMs }).toEqual(["example.com/v1/Brand"]);
      await expect.poll(() => definitions.find(definition.metadata.name)).toBeUndefined();
    }
    const told = lines.filter((line) => line.includes("is inactive: the server does not serve it"));
    expect(told.length).toBe(3);
    await configs.delete("acme");
    await expect.poll(() => configs.find("acme")).toBeUndefined();
  });
});
