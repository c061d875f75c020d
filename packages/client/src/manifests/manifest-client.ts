import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { Clock } from "@typekube/core/internal";
import type { Discovery } from "../discovery/discovery.js";
import type { CallOptions } from "../options/call-options.js";
import type { ClientDefaults } from "../options/client-defaults.js";
import type { DeleteOptions } from "../options/delete-options.js";
import type { GetOptions } from "../options/get-options.js";
import type { ItemsOptions } from "../options/items-options.js";
import type { ApplyOptions } from "../options/write-options.js";
import type { DeleteResult } from "../write/delete-result.js";

/** The operations on one resource that calls on manifests need. */
export interface ManifestOperations {
  apply(object: KubeObject, options: ApplyOptions): Promise<Live<KubeObject>>;
  delete(name: string, options: DeleteOptions): Promise<DeleteResult>;
  find(name: string, options: GetOptions): Promise<Live<KubeObject> | undefined>;
  get(name: string, options: GetOptions): Promise<Live<KubeObject>>;
  /** Returns reads of the objects' metadata. */
  metadata(): Pick<ManifestOperations, "find"> & {
    items(options: ItemsOptions): AsyncIterable<Live<KubeObject>>;
  };
}

/** The parts of a client that calls on manifests need. */
export interface ManifestClient {
  /** Namespace of namespaced objects whose manifest names none. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly defaults: Pick<ClientDefaults, "dryRun" | "fieldManager">;
  readonly discovery: Pick<Discovery, "find" | "forget" | "invalidate" | "served">;
  operations(descriptor: ResourceDescriptor, namespace: string | undefined): ManifestOperations;
  /** Passes a warning to the handler of the call, otherwise to the client's. */
  warn(options: CallOptions, text: string): void;
}
