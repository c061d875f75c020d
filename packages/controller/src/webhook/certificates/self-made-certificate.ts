import type { Live } from "@typekube/api";
import { Secret } from "@typekube/api/core/v1";
import type { ClientCore } from "@typekube/client";
import { contextOf, resourceOf } from "@typekube/client/internal";
import { isAlreadyExists, isConflict, isNotFound, KubeError } from "@typekube/core";
import { type Clock, type Random, withoutCallScope } from "@typekube/core/internal";
import { follow } from "@typekube/informer";
import { certificateSecret, certificatesIn } from "./certificate-secret.js";
import type {
  CertificateReports,
  CertificateSource,
  ServedCertificate,
} from "./certificate-source.js";
import { advanceCertificates, type CertificateState, nextCheckMs } from "./certificate-state.js";
import { expiryProblem } from "./key-pair.js";

/** Milliseconds between two checks of the certificates. (cert-controller `rotationCheckFrequency`: 12 h) */
const checkEveryMs = 12 * 3_600_000;
/** Milliseconds after which a failed check is repeated. */
const retryMs = 10_000;
/** Writes that may meet another replica's before a check fails. */
const maxConflicts = 10;

/** Settings of {@link openSelfMadeCertificate}. */
export interface SelfMadeSettings extends CertificateReports {
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  /** Name and namespace of the Secret. */
  readonly name: string;
  readonly namespace: string;
  readonly hosts: readonly string[];
  /** Milliseconds of each phase of a CA's replacement. */
  readonly phaseMs: number;
  /** Returns `true` when the configurations have this bundle. */
  readonly isPublished: (ca: string) => boolean;
}

/**
 * Makes the certificate of a webhook, and replaces it in time. It is in a Secret that all replicas share: one of them
 * creates it, the others use it.
 *
 * @throws {KubeError} when the Secret can be neither read nor created.
 */
export async function openSelfMadeCertificate(
  settings: SelfMadeSettings,
): Promise<CertificateSource> {
  const source = new SelfMadeCertificate(settings);
  await source.start();
  return source;
}

class SelfMadeCertificate implements CertificateSource {
  readonly #settings: SelfMadeSettings;
  readonly #secrets;
  readonly #listeners: ((certificate: ServedCertificate) => void)[] = [];
  readonly #abort = new AbortController();
  #state: CertificateState | undefined;
  #cancel = () => {};
  #following: Promise<void> = Promise.resolve();
  /** Checks run one after the other. */
  #checking: Promise<void> = Promise.resolve();

  constructor(settings: SelfMadeSettings) {
    this.#settings = settings;
    this.#secrets = resourceOf(contextOf(settings.client), Secret, settings.namespace);
  }

  async start(): Promise<void> {
    await this.#check();
    this.#following = withoutCallScope(() => this.#follow());
  }

  get current(): ServedCertificate {
    if (this.#state === undefined) {
      throw new KubeError("InvalidState", "the webhook has no certificate yet");
    }
    const { cert, key, bundle } = this.#state;
    return { cert, key, ca: bundle.join("") };
  }

  problem(): string | undefined {
    return expiryProblem(this.current.cert, this.#settings.clock.now());
  }

  onChange(listener: (certificate: ServedCertificate) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#abort.abort(new KubeError("Aborted", "the webhooks stop"));
    this.#cancel();
    await this.#checking.catch(() => {});
    await this.#following;
  }

  /** Uses what other replicas write, and restores a Secret that is deleted. */
  async #follow(): Promise<void> {
    const { client, name, namespace, random, onError } = this.#settings;
    const { signal } = this.#abort;
    const events = follow<Secret>(client, Secret, {
      namespace,
      fieldSelector: { "metadata.name": name },
      random,
      signal,
      onError,
    });
    for await (const event of events) {
      if (event.type === "initial" || event.type === "applied" || event.type === "deleted") {
        this.#checkSoon(0);
      }
    }
  }

  #checkSoon(delayMs: number): void {
    const { clock, onError } = this.#settings;
    this.#cancel();
    if (this.#abort.signal.aborted) {
      return;
    }
    this.#cancel = clock.schedule(
      delayMs,
      () => {
        const previous = this.#checking;
        this.#checking = previous
          .catch(() => {})
          .then(() => this.#check())
          .catch((error: unknown) => {
            if (!this.#abort.signal.aborted) {
              onError(KubeError.from(error));
              this.#checkSoon(retryMs);
            }
          });
      },
      true,
    );
  }

  /** Reads the Secret, writes what is due, and uses the result. */
  async #check(): Promise<void> {
    const { clock, phaseMs } = this.#settings;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const secret = await this.#secrets.find(this.#settings.name, {
          signal: this.#abort.signal,
        });
        const state = await this.#advanced(secret);
        this.#use(state);
        const now = clock.now();
        this.#checkSoon(nextCheckMs(state, { now, phaseMs }, checkEveryMs));
        return;
      } catch (error) {
        const isRace = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
        if (!isRace || attempt >= maxConflicts) {
          throw error;
        }
      }
    }
  }

  async #advanced(secret: Live<Secret> | undefined): Promise<CertificateState> {
    const { clock, hosts, phaseMs, isPublished } = this.#settings;
    const { signal } = this.#abort;
    // A Secret that was deleted or damaged becomes what this replica serves, which API servers trust.
    const stored = secret && this.#stateIn(secret);
    const found = stored ?? this.#state;
    const ca = found?.bundle.join("") ?? "";
    const context = { now: clock.now(), hosts, phaseMs, isPublished: isPublished(ca) };
    const next = advanceCertificates(found, context);
    const wanted = certificateSecret(this.#settings, next);
    if (secret === undefined) {
      await this.#secrets.create(wanted, { signal });
    } else if (next !== stored) {
      const { "next-ca.key": _, ...data } = secret.data ?? {};
      const annotations = { ...secret.metadata.annotations, ...wanted.metadata?.annotations };
      const metadata = { ...secret.metadata, annotations };
      // The resourceVersion lets only one of several replicas write.
      const changed = { ...secret, metadata, data: { ...data, ...wanted.data } };
      await this.#secrets.update(changed, { signal });
    }
    return next;
  }

  #stateIn(secret: Secret): CertificateState | undefined {
    const { name, namespace, onRead, onError } = this.#settings;
    try {
      return certificatesIn(secret);
    } catch (cause) {
      onRead(false);
      onError(
        new KubeError("Config", `the Secret ${namespace}/${name} has no valid certificate`, {
          cause,
          hint: "it is written again",
        }),
      );
      return undefined;
    }
  }

  #use(state: CertificateState): void {
    const before = this.#state;
    this.#state = state;
    const isSame = before?.cert === state.cert && before.bundle.join("") === state.bundle.join("");
    if (!isSame) {
      this.#settings.onRead(true);
      for (const listener of this.#listeners) {
        listener(this.current);
      }
    }
  }
}
