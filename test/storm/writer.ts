import type { Client, Live } from "typekube";
import { ConfigMap, Namespace, Secret } from "typekube/api/core/v1";
import type { Seen } from "./rebuilt-state.js";

/** Namespace of all objects. */
export const namespace = "storm";

/** Writes objects by their number and logs the writes. */
export class Writer {
  /** resourceVersion of the last create or update. */
  lastVersion = "";
  readonly #client: Client;
  readonly #present = new Set<number>();
  #log: Seen[] = [];
  #writes = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Number of writes. */
  get writes(): number {
    return this.#writes;
  }

  /** Creates the namespace and the objects 0 to `count` - 1. */
  async prepare(count: number): Promise<void> {
    await this.#client.resource(Namespace).create({ metadata: { name: namespace } });
    for (let object = 0; object < count; object++) {
      await this.put(object);
    }
    // The initial objects are not events.
    this.takeLog();
  }

  /** Returns the writes since the last call, in order. */
  takeLog(): Seen[] {
    const log = this.#log;
    this.#log = [];
    return log;
  }

  /** Creates or changes an object. */
  async put(object: number): Promise<void> {
    const name = `o${object}`;
    const body = { metadata: { name }, data: { write: String(++this.#writes) } };
    const configMaps = this.#client.resource(ConfigMap, namespace);
    const isPresent = this.#present.has(object);
    const { metadata } = await (isPresent ? configMaps.update(body) : configMaps.create(body));
    this.#present.add(object);
    this.#log.push({ name, version: metadata.resourceVersion });
    this.lastVersion = metadata.resourceVersion;
  }

  /** Deletes an object if it exists. */
  async remove(object: number): Promise<void> {
    if (this.#present.delete(object)) {
      const name = `o${object}`;
      this.#writes++;
      await this.#client.resource(ConfigMap, namespace).delete(name);
      this.#log.push({ name, version: undefined });
    }
  }

  /** Makes a write that the informers do not see; returns its resourceVersion. */
  async noise(): Promise<string> {
    const name = `noise-${++this.#writes}`;
    const secrets = this.#client.resource(Secret, namespace);
    const { metadata } = await secrets.create({ metadata: { name } });
    await secrets.delete(name);
    return metadata.resourceVersion;
  }

  /** Returns every object of the server. */
  async truth(): Promise<Map<string, Live<ConfigMap>>> {
    const { items } = await this.#client
      .resource(ConfigMap, namespace)
      .list({ managedFields: false });
    return new Map(items.map((item) => [item.metadata.name, item] as const));
  }
}
