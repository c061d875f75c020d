import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";
import { defineKeyController, startManager } from "typekube/controller";
import { request } from "undici/index.js";
import { runCell } from "../cell.js";
import { latenciesOf } from "../latencies.js";

/** Scrapes before those that are measured. */
const warmUpScrapes = 20;
const series = 200;

/** Scrapes the metrics of a manager that has a number of series. */
await runCell(
  async ({ count }) => {
    const client = await (await startApiServer()).client();
    const scrape = async (port: number | undefined) => {
      const { body } = await request(`http://127.0.0.1:${port}/metrics`);
      return body.text();
    };
    const named = (index: number) =>
      defineKeyController(ConfigMap, { name: `controller-${index}`, reconcileKey() {} });
    const manager = await startManager(client, {
      controllers: Array.from({ length: 3 }, (_, index) => named(index)),
      metrics: { port: 0, host: "127.0.0.1" },
    });
    const { metrics: port } = manager.ports;
    const lines = (await scrape(port)).split("\n").filter((line) => /^[a-z]/.test(line));
    if (lines.length < series) {
      throw new Error(`the manager has only ${lines.length} series`);
    }
    const scrapes = async (many: number) => {
      const latencies: number[] = [];
      for (let scraped = 0; scraped < many; scraped++) {
        const startedAt = performance.now();
        await scrape(port);
        latencies.push(performance.now() - startedAt);
      }
      return latencies;
    };
    await scrapes(Math.min(count, warmUpScrapes));
    return () => scrapes(count);
  },
  ({ length }) => length,
  latenciesOf,
);
