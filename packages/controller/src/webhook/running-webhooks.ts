import { type Clock, monotonicNow, sleep } from "@typekube/core/internal";
import type { CertificateSource, ServedCertificate } from "./certificates/certificate-source.js";
import type { Registration } from "./registration/registration.js";
import type { StopTimes, WebhookServer } from "./server/webhook-server.js";

/** Milliseconds from the deletion of the configurations until API servers call no webhook of theirs any more. */
const afterUnregisterMs = 1_000;

/** Parts of {@link RunningWebhooks}. */
export interface RunningParts {
  readonly source: CertificateSource;
  /** The certificate that the server started with. */
  readonly served: ServedCertificate;
  readonly server: WebhookServer;
  readonly registration: Registration;
  /** `false` when another program writes the CA into the configurations. */
  readonly publishesCa: boolean;
  readonly isEphemeral: boolean;
  readonly clock: Clock;
  readonly times: StopTimes;
  readonly onError: (message: string, error?: unknown) => void;
}

/** Webhooks at work: serves reviews, replaces the certificate, and keeps the configurations as they should be. */
export class RunningWebhooks {
  readonly #parts: RunningParts;
  #serving: Promise<void> = Promise.resolve();
  /** Time of the announcement, in milliseconds of the monotonic clock. */
  #announcedAt: number | undefined;
  #stopping: Promise<void> | undefined;

  constructor(parts: RunningParts) {
    this.#parts = parts;
    const { source, served } = parts;
    const use = (certificate: ServedCertificate) => {
      this.#serving = this.#serving.then(() => this.#use(certificate));
    };
    source.onChange(use);
    // It may have changed while the webhooks started.
    const { cert, ca } = source.current;
    if (cert !== served.cert || ca !== served.ca) {
      use(source.current);
    }
  }

  /** Port that the server listens on. */
  get port(): number {
    return this.#parts.server.port;
  }

  /** Reasons why the webhooks are not ready: none while they listen with a certificate that does not end within a day. */
  problems(): string[] {
    const { server, source } = this.#parts;
    const expiry = source.problem();
    return [
      ...(server.isReady && this.#announcedAt === undefined ? [] : ["the webhooks do not listen"]),
      ...(expiry === undefined ? [] : [expiry]),
    ];
  }

  /** Reports from now on that the webhooks are not ready, and goes on with reviews until {@link stop}. */
  announceStop(): void {
    this.#announcedAt ??= monotonicNow(this.#parts.clock);
  }

  /**
   * Stops: reviews are still accepted for a while after the announcement, then those in progress end. Idempotent.
   *
   * @param over - ends the waits.
   */
  stop(over?: AbortSignal): Promise<void> {
    this.announceStop();
    this.#stopping ??= this.#stop(over);
    return this.#stopping;
  }

  async #stop(over: AbortSignal | undefined): Promise<void> {
    const { source, server, registration, isEphemeral, clock, times, onError } = this.#parts;
    if (isEphemeral) {
      await registration
        .unregister()
        .catch((error: unknown) => onError("the configurations were not deleted", error));
      await sleep(clock, afterUnregisterMs, over).catch(() => {});
    }
    await registration.close();
    await source.close();
    await this.#serving;
    const passedMs = monotonicNow(clock) - (this.#announcedAt ?? 0);
    const lameDuckMs = Math.max(0, times.lameDuckMs - passedMs);
    await server.close({ lameDuckMs, drainMs: times.drainMs }, over);
  }

  /** Lets API servers trust a certificate before it is served. */
  async #use(certificate: ServedCertificate): Promise<void> {
    const { registration, server, publishesCa, onError } = this.#parts;
    const ca = publishesCa ? certificate.ca : undefined;
    if (!registration.isPublished(ca)) {
      await registration
        .publish(ca)
        .catch((error: unknown) => onError("the CA was not published", error));
    }
    server.setCertificate(certificate);
  }
}
