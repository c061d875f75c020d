import type { ResourceDescriptor } from "@typekube/api";
import type { SchemaTable } from "@typekube/api/schema";
import type { StructuralSchema } from "@typekube/schema";
import { type SchemaNode, typeNode, untyped } from "../schema/schema-node.js";
import { structuralNode } from "../schema/structural-node.js";
import type { ServedResource } from "./served-resource.js";

type KindName = Pick<ResourceDescriptor, "apiVersion" | "kind">;

/** Returns the schema of a kind; loads tables on first use. */
export type SchemaSource = (
  resource: Pick<ServedResource, "defined"> & {
    readonly descriptor: KindName;
  },
) => Promise<SchemaNode>;

/** Creates a source from the tables of the built-in kinds. Kinds without a table are untyped. */
export function createSchemaSource(
  load: (apiVersion: string) => Promise<SchemaTable | undefined> = loadBuiltIn,
): SchemaSource {
  const tables = new Map<string, Promise<SchemaTable | undefined>>();
  const nodes = new WeakMap<KindName | StructuralSchema, Promise<SchemaNode>>();
  const tableOf = (apiVersion: string) => {
    let loading = tables.get(apiVersion);
    if (loading === undefined) {
      loading = load(apiVersion);
      tables.set(apiVersion, loading);
    }
    return loading;
  };
  const nodeOf = async ({ apiVersion, kind }: KindName): Promise<SchemaNode> => {
    const table = await tableOf(apiVersion);
    return table !== undefined && Object.hasOwn(table.types, kind)
      ? typeNode(table, kind)
      : untyped;
  };
  const structural = async (schema: StructuralSchema): Promise<SchemaNode> => {
    const core = await tableOf("v1");
    return structuralNode(schema, core?.imports["meta/v1"]);
  };
  return ({ descriptor, defined }) => {
    const subject = defined?.schema ?? descriptor;
    let node = nodes.get(subject);
    if (node === undefined) {
      node = defined === undefined ? nodeOf(descriptor) : structural(defined.schema);
      nodes.set(subject, node);
    }
    return node;
  };
}

async function loadBuiltIn(apiVersion: string): Promise<SchemaTable | undefined> {
  const { loadSchema } = await import("@typekube/api/schema");
  return loadSchema(apiVersion);
}
