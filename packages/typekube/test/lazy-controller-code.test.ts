import { expect, test, vi } from "vitest";

const loaded: string[] = [];
vi.mock(import("node:http"), async (original) => {
  loaded.push("http");
  return original();
});
vi.mock(import("node:https"), async (original) => {
  loaded.push("https");
  return original();
});

test("controllers load Node's servers with the first port that is opened", async () => {
  const { connect } = await import("typekube");
  const { startManager } = await import("typekube/controller");
  await using client = await connect({ server: "http://127.0.0.1:9" });
  {
    await using _manager = await startManager(client);
    expect(loaded).toEqual([]);
  }
  await using manager = await startManager(client, { health: { port: 0, host: "127.0.0.1" } });
  expect(manager.ports.health).toBeGreaterThan(0);
  expect(loaded).toEqual(["http"]);
});
