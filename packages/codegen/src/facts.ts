import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readServerFacts, type ServerFacts } from "./server-facts.js";

/** Facts that the Go half extracted about one field. An absent flag means false. */
export interface FieldFacts {
  readonly name: string;
  /** `*` (pointer), `[]` (list) or `{}` (map), then a scalar, `any`, `bytes` or a named type: `core/v1.Pod`. */
  readonly type: string;
  /** Field number in the protobuf message. */
  readonly pb?: number;
  readonly inline?: true;
  readonly omitempty?: true;
  readonly omitzero?: true;
  /** `false` for a field that exists only in protobuf. */
  readonly json?: false;
  readonly required?: true;
  readonly deprecated?: true;
  readonly default?: unknown;
  readonly format?: string;
  readonly listType?: "atomic" | "map" | "set";
  readonly listMapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly validations?: readonly string[];
}

/** Facts that the Go half extracted about one type. */
export interface TypeFacts {
  /** Declarative validation markers of the type. */
  readonly validations?: readonly string[];
  readonly name: string;
  readonly kind?: string;
  /** Set for the shared kinds, whose group-version differs from that of their package. */
  readonly apiVersion?: string;
  /** Set when the object carries apiVersion and kind. */
  readonly typeMeta?: true;
  /** Set when the JSON is not an object of the fields; names its form. */
  readonly form?: string;
  readonly enum?: readonly string[];
  readonly deprecated?: true;
  readonly mapType?: "atomic";
  readonly structType?: "atomic" | "granular";
  readonly fields?: readonly FieldFacts[];
}

export interface PackageFacts {
  readonly name: string;
  readonly path: string;
  /** Empty for packages that are not a group-version. */
  readonly apiVersion: string;
  readonly types: readonly TypeFacts[];
}

export interface ResourceFacts {
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly scope: "Cluster" | "Namespaced";
  readonly singular: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources: readonly SubresourceFacts[];
}

export interface SubresourceFacts {
  readonly of: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly bodyApiVersion: string;
  readonly verbs: readonly string[];
}

export interface LifecycleFacts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacedBy?: { readonly apiVersion: string; readonly kind: string };
}

/** All facts, with the indexes that the generators need. */
export interface Facts {
  /** Kubernetes release: `1.37.1`. */
  readonly release: string;
  readonly packages: readonly PackageFacts[];
  readonly resources: readonly ResourceFacts[];
  readonly lifecycles: readonly LifecycleFacts[];
  readonly server: ServerFacts;
  /** Types by full name: `core/v1.Pod`. */
  readonly types: ReadonlyMap<string, TypeFacts>;
  /** Packages by group-version: `apps/v1`. */
  readonly byApiVersion: ReadonlyMap<string, PackageFacts>;
}

/** Reads the committed tables. */
export function readFacts(folder: string): Facts {
  const packages = readdirSync(join(folder, "types"))
    .sort()
    .map((file) => readJson(join(folder, "types", file)) as PackageFacts);
  const sources = readJson(join(folder, "sources.json")) as { module: string; version: string }[];
  const kubernetes = sources.find((source) => source.module === "k8s.io/kubernetes");
  if (kubernetes === undefined) {
    throw new Error(`${folder}/sources.json does not name k8s.io/kubernetes`);
  }
  return {
    release: kubernetes.version.replace(/^v/, ""),
    packages,
    resources: readResources(join(folder, "resources.json")),
    lifecycles: readJson(join(folder, "lifecycle.json")) as LifecycleFacts[],
    server: readServerFacts(folder),
    types: new Map(
      packages.flatMap((p) => p.types.map((type) => [`${p.name}.${type.name}`, type])),
    ),
    byApiVersion: new Map(
      packages.filter((p) => p.apiVersion !== "").map((p) => [p.apiVersion, p]),
    ),
  };
}

function readResources(file: string): ResourceFacts[] {
  const rows = readJson(file) as (ResourceFacts & Partial<SubresourceFacts>)[];
  return rows
    .filter((row) => row.of === undefined)
    .map((row) => ({
      ...row,
      subresources: rows.filter(
        (sub): sub is ResourceFacts & SubresourceFacts =>
          sub.of === row.resource && sub.apiVersion === row.apiVersion,
      ),
    }));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
