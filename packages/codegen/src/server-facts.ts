import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A feature gate of kube-apiserver with the stages that it went through. */
export interface FeatureGateFacts {
  readonly name: string;
  readonly stages: readonly GateStageFacts[];
}

export interface GateStageFacts {
  /** Release of the stage: `1.27`. */
  readonly since: string;
  readonly stage: "alpha" | "beta" | "deprecated" | "ga";
  readonly on?: true;
  readonly locked?: true;
}

/** An object that kube-apiserver creates when it starts. */
export interface BootstrapFacts {
  readonly apiVersion: string;
  readonly kind: string;
  /** Namespace and name: `kube-system/system:controller:token-cleaner`. */
  readonly key: string;
  readonly object: object;
}

/** Defaults that the server fills in, by the type that they belong to. */
export interface TypeDefaultFacts {
  /** Full name: `core/v1.PodSpec`. */
  readonly type: string;
  /** Defaults that the type has in every place. A struct whose fields have defaults of their own is `{}`. */
  readonly always: Readonly<Record<string, unknown>>;
  /** Values of the defaults that depend on other fields or on the place. */
  readonly depends?: Readonly<Record<string, readonly unknown[]>>;
  /** Fields that keep an explicit empty value. */
  readonly keepsEmpty?: readonly string[];
}

/** An empty object of a kind, with all defaults. */
export interface DefaultedObjectFacts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Table columns of a resource; the row `*` has those of resources without their own. */
export interface ColumnsFacts {
  readonly resource: string;
  readonly columns: readonly ColumnFacts[];
}

export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly priority?: number;
}

/** Group-version in which a resource is stored. */
export interface StorageVersionFacts {
  readonly resource: string;
  readonly storedIn: string;
}

/** Priorities of a group-version in discovery. */
export interface GroupPriorityFacts {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** Facts about the behaviour of kube-apiserver. */
export interface ServerFacts {
  readonly featureGates: readonly FeatureGateFacts[];
  readonly bootstrapObjects: readonly BootstrapFacts[];
  readonly typeDefaults: readonly TypeDefaultFacts[];
  readonly defaultedObjects: readonly DefaultedObjectFacts[];
  readonly tableColumns: readonly ColumnsFacts[];
  readonly storageVersions: readonly StorageVersionFacts[];
  readonly groupPriorities: readonly GroupPriorityFacts[];
  /** Names of all health checks that a server can have. */
  readonly healthChecks: readonly { readonly name: string }[];
}

/** Reads the committed tables. */
export function readServerFacts(folder: string): ServerFacts {
  const read = <T>(file: string): readonly T[] =>
    JSON.parse(readFileSync(join(folder, file), "utf8")) as T[];
  return {
    featureGates: read("feature-gates.json"),
    bootstrapObjects: read("bootstrap-objects.json"),
    typeDefaults: read("type-defaults.json"),
    defaultedObjects: read("defaulted-objects.json"),
    tableColumns: read("table-columns.json"),
    storageVersions: read("storage-versions.json"),
    groupPriorities: read("group-priorities.json"),
    healthChecks: read("health-checks.json"),
  };
}
