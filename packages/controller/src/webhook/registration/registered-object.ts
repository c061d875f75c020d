import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { isNotFound, KubeError } from "@typekube/core";
import { type Clock, type Random, withoutCallScope } from "@typekube/core/internal";
import { follow } from "@typekube/informer";
import { Backoff, defaultBackoff } from "@typekube/informer/internal";
import { contains } from "./contains.js";

/** Field manager of configurations. */
const fieldManager = "typekube-webhooks";

/** Settings of a {@link RegisteredObject}. */
export interface RegisteredSettings {
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: Error) => void;
}

/** An object on the server of which we own some fields, which are restored when others change them. */
export class RegisteredObject {
  readonly #settings: RegisteredSettings;
  readonly #kind: ResourceDescriptor;
  readonly #name: string;
  readonly #mustExist: boolean;
  readonly #objects;
  readonly #backoff: Backoff;
  readonly #abort = new AbortController();
  #wanted: KubeObject | undefined;
  #isApplied = false;
  #isFollowing = false;
  #following: Promise<void> = Promise.resolve();
  #applying: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;

  /** @param mustExist - `true` for an object that somebody else creates; its fields are set as soon as it exists. */
  constructor(
    kind: ResourceDescriptor,
    name: string,
    mustExist: boolean,
    settings: RegisteredSettings,
  ) {
    this.#kind = kind;
    this.#name = name;
    this.#mustExist = mustExist;
    this.#settings = settings;
    this.#objects = resourceOf(contextOf(settings.client), kind as ResourceDescriptor<KubeObject>);
    this.#backoff = new Backoff(defaultBackoff, settings.clock, settings.random);
  }

  /** `true` when the server has the fields that {@link apply} was last called with, or the object does not exist yet. */
  get isApplied(): boolean {
    return this.#isApplied;
  }

  /** Sets the fields, and begins to watch over them. Rejects when the server refuses them. */
  async apply(wanted: KubeObject): Promise<void> {
    this.#wanted = wanted;
    this.#isApplied = false;
    try {
      await this.#apply();
    } catch (error) {
      if (this.#isFollowing) {
        this.#restore();
      }
      throw error;
    }
  }

  /** Restores the fields from now on. */
  follow(): void {
    this.#isFollowing = true;
    this.#following = withoutCallScope(() => this.#follow());
  }

  /** Deletes the object. */
  async delete(): Promise<void> {
    await this.close();
    await this.#objects.delete(this.#name).catch((error: unknown) => {
      if (!isNotFound(error)) {
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.#abort.abort(new KubeError("Aborted", "the webhooks stop"));
    this.#cancel?.();
    await this.#following;
    await this.#applying.catch(() => {});
  }

  #apply(): Promise<void> {
    const { signal } = this.#abort;
    const call = this.#applying
      .catch(() => {})
      .then(async () => {
        const wanted = this.#wanted;
        if (wanted === undefined || signal.aborted) {
          return;
        }
        // A missing definition gets its fields when it is created.
        if (!this.#mustExist || (await this.#objects.find(this.#name, { signal })) !== undefined) {
          await this.#objects.apply(wanted, { fieldManager, force: true, signal });
        }
        this.#isApplied = this.#wanted === wanted;
      });
    this.#applying = call;
    return call;
  }

  async #follow(): Promise<void> {
    const { client, random, onError } = this.#settings;
    const events = follow(client, this.#kind, {
      fieldSelector: { "metadata.name": this.#name },
      random,
      signal: this.#abort.signal,
      onError,
    });
    for await (const event of events) {
      if (event.type === "initial" || event.type === "applied") {
        this.#onObject(event.object);
      } else if (event.type === "deleted") {
        this.#restore();
      }
    }
  }

  #onObject(object: Live<KubeObject>): void {
    if (this.#wanted !== undefined && !contains(object, this.#wanted)) {
      this.#restore();
    }
  }

  /** Applies the fields again: at once, or later when that happens again and again, so that no two programs race. */
  #restore(): void {
    if (this.#cancel !== undefined || this.#abort.signal.aborted) {
      return;
    }
    const { clock, onError } = this.#settings;
    const delayMs = this.#backoff.next();
    this.#cancel = clock.schedule(
      // The first time at once: a webhook without its CA blocks every write of its kind.
      delayMs <= 2 * defaultBackoff.initialMs ? 0 : delayMs,
      () => {
        this.#cancel = undefined;
        this.#apply().catch((error: unknown) => {
          if (!this.#abort.signal.aborted) {
            onError(KubeError.from(error));
            this.#restore();
          }
        });
      },
      true,
    );
  }
}
