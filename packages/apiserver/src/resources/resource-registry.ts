import type { ResourceDescriptor } from "@typekube/api";
import { formatApiVersion } from "@typekube/core";
import type { KindStrategy } from "./kind-strategy.js";
import { groupResourceOf, type ServedResource, servedResource } from "./served-resource.js";
import { compareVersions, stageOf } from "./version-priority.js";

/** The served resources, found by path. */
export interface ResourceRegistry {
  /** All resources in discovery order. */
  readonly resources: readonly ServedResource[];
  /** Groups in discovery order, each with its served versions, preferred first. The core group is "". */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  find(group: string, version: string, plural: string): ServedResource | undefined;
  ofVersion(group: string, version: string): readonly ServedResource[];
  /**
   * Returns whether a kind is built into this release, including kinds of subresources and of versions that are not
   * served.
   */
  recognizes(apiVersion: string, kind: string): boolean;
  /**
   * Replaces the served versions of a definition, from the next request on.
   *
   * @param name - name of the definition.
   * @param versions - empty to stop serving the definition.
   */
  serve(name: string, versions: readonly ServedResource[]): void;
  /** Returns an independent registry with the same resources. */
  fork(): ResourceRegistry;
}

/** Group-versions and resources to enable or disable: a record, or text such as `api/all=true`. */
export type RuntimeConfig = Readonly<Record<string, boolean>> | string;

/** Options that select the served resources. */
export interface RegistryOptions {
  /** Returns the strategy of a built-in kind by its plural name and group. Default: no kind has one. */
  readonly strategyOf?: ((groupResource: string) => KindStrategy | undefined) | undefined;
  /** The built-in kinds, of which the stable versions are served by default. */
  readonly builtIn: readonly ResourceDescriptor[];
  /** Further resources, which are always served. Default: none. */
  readonly custom?: readonly ResourceDescriptor[] | undefined;
  /**
   * Group-versions and resources to enable or disable, in the syntax of the real server's flag: `api/all=true`,
   * `batch/v1=false`, `storage.k8s.io/v1beta1`, `apps/v1/deployments=false`. A missing value means true.
   */
  readonly runtimeConfig?: RuntimeConfig | undefined;
}

/** Selects the served resources: stable versions by default, beta and alpha versions on request. */
export function createRegistry({
  strategyOf = () => undefined,
  builtIn,
  custom = [],
  runtimeConfig,
}: RegistryOptions): ResourceRegistry {
  const switches = readRuntimeConfig(runtimeConfig);
  const fixed = [
    ...builtIn
      .filter((descriptor) => isServed(descriptor, switches))
      .map((one) => servedResource(one, false, strategyOf(groupResourceOf(one)))),
    ...custom.map((descriptor) => servedResource(descriptor, true)),
  ];
  return new IndexedRegistry(fixed, kindsOf(builtIn), new Map(), indexOf(fixed));
}

/** Returns a lookup by kind that builds its index on first use. */
function kindsOf(builtIn: readonly ResourceDescriptor[]): ResourceRegistry["recognizes"] {
  const nameOf = (apiVersion: string, kind: string) => `${apiVersion} ${kind}`;
  let names: ReadonlySet<string> | undefined;
  return (apiVersion, kind) => {
    names ??= new Set(
      builtIn
        .flatMap((one) => [one, ...Object.values(one.subresources)])
        .map((one) => nameOf(one.apiVersion, one.kind)),
    );
    return names.has(nameOf(apiVersion, kind));
  };
}

class IndexedRegistry implements ResourceRegistry {
  readonly recognizes: ResourceRegistry["recognizes"];
  readonly #fixed: readonly ServedResource[];
  readonly #defined: Map<string, readonly ServedResource[]>;
  #index: Index;

  constructor(
    fixed: readonly ServedResource[],
    recognizes: ResourceRegistry["recognizes"],
    defined: Map<string, readonly ServedResource[]>,
    index: Index,
  ) {
    this.#fixed = fixed;
    this.recognizes = recognizes;
    this.#defined = defined;
    this.#index = index;
  }

  get resources(): readonly ServedResource[] {
    return this.#index.resources;
  }

  get groups(): ReadonlyMap<string, readonly string[]> {
    return this.#index.groups;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#index.byPath.get(group)?.get(version)?.get(plural);
  }

  ofVersion(group: string, version: string): readonly ServedResource[] {
    return this.#index.byVersion.get(formatApiVersion({ group, version })) ?? [];
  }

  serve(name: string, versions: readonly ServedResource[]): void {
    if (versions.length > 0) {
      this.#defined.set(name, versions);
    } else if (!this.#defined.delete(name)) {
      return;
    }
    this.#index = indexOf([...this.#fixed, ...[...this.#defined.values()].flat()]);
  }

  fork(): ResourceRegistry {
    return new IndexedRegistry(this.#fixed, this.recognizes, new Map(this.#defined), this.#index);
  }
}

/** Resources indexed for requests and discovery. */
interface Index {
  readonly resources: readonly ServedResource[];
  /** Resources by group, version and plural name. */
  readonly byPath: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, ServedResource>>>;
  readonly byVersion: ReadonlyMap<string, readonly ServedResource[]>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

function indexOf(resources: readonly ServedResource[]): Index {
  const served: ServedResource[] = [];
  const byPath = new Map<string, Map<string, Map<string, ServedResource>>>();
  const byVersion = new Map<string, ServedResource[]>();
  const groups = new Map<string, string[]>();
  for (const resource of resources) {
    const groupVersion = formatApiVersion(resource);
    const ofGroup = madeIn(byPath, resource.group, () => new Map());
    const ofVersion = madeIn(ofGroup, resource.version, () => new Map());
    if (ofVersion.has(resource.plural)) {
      continue;
    }
    ofVersion.set(resource.plural, resource);
    served.push(resource);
    const others = byVersion.get(groupVersion) ?? [];
    others.push(resource);
    byVersion.set(groupVersion, others);
    const versions = groups.get(resource.group) ?? [];
    if (!versions.includes(resource.version)) {
      versions.push(resource.version);
    }
    groups.set(resource.group, versions);
  }
  for (const versions of groups.values()) {
    versions.sort(compareVersions);
  }
  return { resources: served, byPath, byVersion, groups };
}

/** Returns the value at a key of a map, created if missing. */
function madeIn<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function readRuntimeConfig(config: RegistryOptions["runtimeConfig"]): Map<string, boolean> {
  if (typeof config === "object") {
    return new Map(Object.entries(config));
  }
  const entries = (config ?? "").split(",").filter((entry) => entry.trim() !== "");
  return new Map(
    entries.map((entry) => {
      const [key = "", value = "true"] = entry.trim().split("=");
      return [key, value === "true"];
    }),
  );
}

function isServed(descriptor: ResourceDescriptor, switches: ReadonlyMap<string, boolean>): boolean {
  const stage = stageOf(descriptor.version);
  const groupVersion = formatApiVersion(descriptor);
  // The most specific setting counts; the core group is named api/v1 there.
  const keys = [
    `${groupVersion}/${descriptor.plural}`,
    groupVersion,
    ...(descriptor.group === "" ? [`api/${descriptor.version}`] : []),
    `api/${stage}`,
    "api/all",
  ];
  for (const key of keys) {
    const on = switches.get(key);
    if (on !== undefined) {
      return on;
    }
  }
  return stage === "ga";
}
