// Updates ConfigMaps all the time, in its own process: `updates.js <url> <number of ConfigMaps> <updates per second>`.
import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { benchNamespace, configMapData, configMapName } from "./bench-objects.js";
import { readInput } from "./cell.js";

/** Milliseconds between two batches of updates. */
const batchMs = 5;
/** Updates in progress, at most: a server that is slower sets the pace. */
const mostAtOnce = 64;

const { url, ca, token, count, variant } = readInput();
const perMs = Number(variant) / 1_000;
const client = await connect({ server: url, ca, token });
const configMaps = client.resource(ConfigMap, benchNamespace);
let atOnce = 0;
let sent = 0;
let startedAt = performance.now();

setInterval(() => {
  const due = Math.floor((performance.now() - startedAt) * perMs);
  while (sent < due && atOnce < mostAtOnce) {
    void update(sent++);
  }
  if (atOnce >= mostAtOnce) {
    // Updates that the server was too slow for are not made up for later.
    startedAt = performance.now() - sent / perMs;
  }
}, batchMs);

/** Updates one object; the objects have their turn one after the other. */
async function update(order: number): Promise<void> {
  atOnce++;
  const index = order % count;
  const revision = Date.now();
  try {
    await configMaps.update({
      metadata: { name: configMapName(index) },
      data: configMapData(index, revision),
    });
  } finally {
    atOnce--;
  }
}
