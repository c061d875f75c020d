import { readFileSync } from "node:fs";
import type { KubeObject } from "@typekube/api";
import { codecs } from "@typekube/core/internal";

/** Steps applied to each object, in this order. */
export const steps = ["create", "read", "update", "restate", "delete"] as const;

/** Expected warnings by step; omitted for steps without warnings. */
export type Warnings = Readonly<Partial<Record<(typeof steps)[number], readonly string[]>>>;

/** An object and its expected warnings. */
export interface WarnedObject {
  readonly name: string;
  readonly object: KubeObject;
  readonly expected: Warnings;
}

type Table = Readonly<Record<string, Warnings & { readonly object: KubeObject }>>;

/** Reads the objects of the table. */
export async function readWarnedObjects(): Promise<readonly WarnedObject[]> {
  const text = readFileSync(new URL("warned-objects.yaml", import.meta.url));
  const table = (await codecs.yaml.decode(text)) as unknown as Table;
  return Object.entries(table).map(([name, { object, ...expected }]) => ({
    name,
    object: { ...object, metadata: { name, ...object.metadata } },
    expected,
  }));
}
