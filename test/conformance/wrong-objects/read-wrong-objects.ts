import { readFileSync } from "node:fs";
import type { KubeObject } from "@typekube/api";
import { codecs } from "@typekube/core/internal";

/** An object with one fault. */
export interface WrongObject {
  /** Kind and fault on one line. */
  readonly name: string;
  readonly object: KubeObject;
}

interface Table {
  readonly [kind: string]: {
    readonly right: KubeObject;
    readonly faults: readonly Readonly<Record<string, unknown>>[];
  };
}

type Tree = Record<string, unknown>;

/** Reads the objects of the table that have a fault, and one valid object per kind. */
export async function readWrongObjects(): Promise<{
  readonly wrong: readonly WrongObject[];
  readonly right: readonly WrongObject[];
}> {
  const text = readFileSync(new URL("wrong-objects.yaml", import.meta.url));
  const table = (await codecs.yaml.decode(text)) as Table;
  const kinds = Object.entries(table);
  return {
    right: kinds.map(([kind, { right }]) => ({ name: kind, object: made(right, {}) })),
    wrong: kinds.flatMap(([kind, { right, faults }]) =>
      faults.map((fault) => ({
        name: `${kind} ${JSON.stringify(fault)}`,
        object: made(right, fault),
      })),
    ),
  };
}

function made(right: KubeObject, fault: Readonly<Record<string, unknown>>): KubeObject {
  const object = structuredClone({
    ...right,
    metadata: { name: "wrong.example.com", ...right.metadata },
  });
  for (const [path, value] of Object.entries(fault)) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    const parent = keys.reduce((tree, key) => tree[key] as Tree, object as unknown as Tree);
    if (value === null) {
      delete parent[last];
    } else {
      parent[last] = structuredClone(value);
    }
  }
  return object;
}
