import { readFileSync } from "node:fs";
import type { KubeObject } from "@typekube/api";
import { codecs } from "@typekube/core/internal";

/** What is done with each of the objects, in this order. */
export const steps = ["create", "read", "update", "restate", "delete"] as const;

/** The texts that servers warn with, by the step that they warn of; nothing where they do not. */
export type Warnings = Readonly<Partial<Record<(typeof steps)[number], readonly string[]>>>;

/** An object and what servers warn of. */
export interface WarnedObject {
  readonly name: string;
  readonly object: KubeObject;
  readonly expected: Warnings;
}

type Table = Readonly<Record<string, Warnings & { readonly object: KubeObject }>>;

/** The objects of the table. */
export async function readWarnedObjects(): Promise<readonly WarnedObject[]> {
  const text = readFileSync(new URL("warned-objects.yaml", import.meta.url));
  const table = (await codecs.yaml.decode(text)) as unknown as Table;
  return Object.entries(table).map(([name, { object, ...expected }]) => ({
    name,
    object: { ...object, metadata: { name, ...object.metadata } },
    expected,
  }));
}
