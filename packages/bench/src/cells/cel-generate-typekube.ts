import { generate, readDefinitions } from "@typekube/crd/generate";
import { toYaml } from "typekube";
import { runCell } from "../cell.js";
import { realDefinitions } from "../real-definitions.js";

/** Generates the types of real definitions, each of which is there in two groups. */
await runCell(
  async ({ count }) => {
    const texts = (await realDefinitions(count / 2)).flatMap((definition) => {
      const { group, names } = definition.spec;
      const metadata = { name: `${names.plural}.second.${group}` };
      const spec = { ...definition.spec, group: `second.${group}` };
      return [definition, { ...definition, metadata, spec }].map((one) => ({
        name: `${one.metadata?.name}.yaml`,
        text: toYaml(one),
      }));
    });
    return async () => generate([await readDefinitions(texts)]);
  },
  ({ kinds }) => new Set(kinds.map(({ group, kind }) => `${group} ${kind}`)).size,
);
