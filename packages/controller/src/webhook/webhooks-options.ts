import {
  amount,
  flag,
  integerFrom,
  milliseconds,
  type OptionTable,
  object,
  text,
} from "@typekube/core/internal";
import type { WebhookHandler } from "./endpoint/create-webhook.js";
import type { WebhookObserver } from "./endpoint/webhook-observer.js";

/** Service in front of the webhooks. */
export interface WebhookService {
  readonly name: string;
  /** Default: that of the pod's service account. */
  readonly namespace?: string | undefined;
  /** Port of the Service. Default 443. */
  readonly port?: number | undefined;
}

/** Certificate in a folder, such as a mounted Secret of cert-manager. */
export interface MountedCertificateOptions {
  /** Folder with `tls.crt`, `tls.key` and, optionally, `ca.crt`. */
  readonly directory: string;
  /**
   * The cert-manager Certificate, `namespace/name`, whose CA its injector writes into the configurations; they then have
   * no CA of ours. Default: the CA is that of `ca.crt`.
   */
  readonly injectCaFrom?: string | undefined;
}

/** Options of the webhooks of a manager. */
export interface WebhooksOptions {
  /** Handlers made by `admission` and `conversion`. Served by every replica, leader or not. */
  readonly handlers: readonly WebhookHandler[];
  /** Service through which API servers reach the webhooks. Either this or `url`. */
  readonly service?: WebhookService | string | undefined;
  /** URL at which API servers reach the webhooks, such as `https://127.0.0.1:9443`, for development. */
  readonly url?: string | undefined;
  /**
   * `self`: made by the webhooks, renewed in time, and kept in a Secret that all replicas share. Or a folder. Default
   * `self`.
   */
  readonly certificates?: MountedCertificateOptions | "self" | undefined;
  /** Port to listen on; 0 takes a free one, and puts it into `url`. Default 9443. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: all. */
  readonly host?: string | undefined;
  /** Name of the configurations. Default: that of the Service, else `<plural>.<group>` of the first handler. */
  readonly name?: string | undefined;
  /** Name of the Secret with self-made certificates. Default `<name>-certificates`. */
  readonly secret?: string | undefined;
  /** Namespace of the Secret and of the Service. Default: that of the pod's service account, or `default` with `url`. */
  readonly namespace?: string | undefined;
  /** Deletes the configurations on stop, for development. Default false: other replicas go on. */
  readonly ephemeral?: boolean | undefined;
  /** Milliseconds after a stop in which reviews are still accepted. Default 5,000. */
  readonly lameDuckMs?: number | undefined;
  /** Milliseconds in which reviews must end after that. Default 60,000. */
  readonly drainMs?: number | undefined;
  /** Milliseconds of each of the two phases in which a CA is replaced. Default an hour. */
  readonly rotationPhaseMs?: number | undefined;
  /** Observes reviews, for metrics of your own. Default: none. */
  readonly observer?: WebhookObserver | undefined;
}

/** Names and checks of {@link WebhooksOptions}. */
export const webhooksOptions: OptionTable<WebhooksOptions> = {
  certificates: {
    mustBe: '"self" or { directory }',
    isValid: (value) =>
      value === "self" ||
      (typeof value === "object" &&
        typeof (value as MountedCertificateOptions | null)?.directory === "string"),
  },
  drainMs: milliseconds,
  ephemeral: flag,
  handlers: {
    mustBe: "an array of handlers made by admission() and conversion()",
    isValid: (value) => Array.isArray(value) && value.length > 0,
  },
  host: text,
  lameDuckMs: milliseconds,
  name: text,
  namespace: text,
  observer: object,
  port: { ...integerFrom(0), mustBe: "a port" },
  rotationPhaseMs: amount,
  secret: text,
  service: {
    mustBe: "the name of a Service or { name }",
    isValid: (value) =>
      (typeof value === "string" && value !== "") ||
      typeof (value as WebhookService | null)?.name === "string",
  },
  url: {
    mustBe: "an https URL without a query",
    isValid: (value) => typeof value === "string" && /^https:\/\/[^/?#]+[^?#]*$/.test(value),
  },
};
