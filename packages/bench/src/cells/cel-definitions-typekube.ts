import { startApiServer } from "@typekube/apiserver";
import { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { runCell } from "../cell.js";
import { memoryInUse } from "../measurement.js";
import { realDefinitions } from "../real-definitions.js";

/** Creates real definitions on an idle server. */
await runCell(
  async ({ count }) => {
    const given = await realDefinitions(count);
    const client = await (await startApiServer()).client();
    const definitions = client.resource(CustomResourceDefinition);
    await definitions.list();
    const before = await memoryInUse();
    return async () => {
      for (const definition of given) {
        await definitions.create(definition);
      }
      return async () => ({ growthMb: (await memoryInUse()) - before });
    };
  },
  () => Number(process.argv[3]),
  (growth) => growth(),
);
