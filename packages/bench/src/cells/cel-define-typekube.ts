import { defineResource } from "typekube/crd";
import { type ZodType, z } from "zod";
import { runCell } from "../cell.js";

/** Fields of a definition, half of them in objects. */
const fields = 300;
/** Definitions before those that are measured. */
const warmUp = 20;

/** Defines custom resources of many fields by zod schemas, without rules. The schemas are created before. */
await runCell(
  async ({ count }) => {
    for (let index = 0; index < warmUp; index++) {
      define(index, schema());
    }
    const schemas = Array.from({ length: count }, schema);
    return async () => schemas.map((one, index) => define(index, one));
  },
  (resources) => resources.length,
);

function define(index: number, spec: ReturnType<typeof schema>): object {
  return defineResource({
    group: "example.com",
    version: "v1",
    kind: `Widget${index}`,
    plural: `widgets${index}`,
    spec,
  });
}

function schema() {
  const shape = (start: number) =>
    Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`field${start + at}`, fieldOf(start + at)]),
    );
  const groups = Array.from({ length: fields / 20 }, (_, at) => {
    const inner = z.object(shape(at * 20)).optional();
    return { ...shape(at * 20 + 10), [`group${at}`]: inner };
  });
  return z.object(Object.assign({}, ...groups) as Record<string, ZodType>);
}

function fieldOf(at: number): ZodType {
  switch (at % 5) {
    case 0:
      return z.string().min(1).max(63).describe("the name of a part");
    case 1:
      return z.int().min(0).max(100).default(3);
    case 2:
      return z.enum(["red", "green", "blue"]).optional();
    case 3:
      return z.array(z.string()).max(10).optional();
    default:
      return z
        .string()
        .regex(/^[a-z0-9-]+$/)
        .optional();
  }
}
