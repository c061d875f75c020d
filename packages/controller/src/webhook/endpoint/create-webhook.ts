import { KubeError } from "@typekube/core";
import {
  assertOptions,
  type Clock,
  callback,
  type OptionTable,
  object,
  systemClock,
} from "@typekube/core/internal";
import type { AdmissionHandler } from "../admission/admission.js";
import type { AnyAdmissionHandler } from "../admission/run-admission.js";
import type { ConversionHandler } from "../conversion/conversion.js";
import { admissionEndpoints } from "./admission-endpoint.js";
import { conversionEndpoint } from "./conversion-endpoint.js";
import { fetchHandler } from "./fetch-handler.js";
import { WebhookDispatcher } from "./webhook.js";
import type { WebhookObserver } from "./webhook-observer.js";

/** A handler of any kind: of `admission` or of `conversion`. */
export type WebhookHandler =
  | AdmissionHandler<never, never>
  | AnyAdmissionHandler
  | ConversionHandler;

/** Options of {@link createWebhook}. */
export interface CreateWebhookOptions {
  /** Observes reviews, for metrics. Default: none. */
  readonly observer?: WebhookObserver | undefined;
  /**
   * Called with failures of handlers and with advice. Default: at most one process warning a minute, with the code
   * `TYPEKUBE_WEBHOOK`.
   */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
}

/** Webhooks without a server of their own. */
export interface Webhook {
  /** Paths that it responds at. */
  readonly paths: readonly string[];
  /** Responds to a request, as servers in Hono, Bun and Deno call it. Never rejects. */
  fetch(request: Request): Promise<Response>;
}

const createWebhookOptions: OptionTable<CreateWebhookOptions> = {
  clock: object,
  observer: object,
  onError: callback,
};

/**
 * Creates webhooks for a server of your own: TLS, certificates and registration are up to you. A manager has all of
 * them.
 *
 * @example
 * ```ts
 * const webhook = createWebhook([hooks]);
 * const answer = await webhook.fetch(new Request("https://127.0.0.1/", { method: "POST", body: "{}" }));
 * console.log(answer.status); // 400
 * ```
 *
 * @throws {KubeError} `InvalidArgument` for two handlers with one path.
 */
export function createWebhook(
  handlers: readonly WebhookHandler[],
  options: CreateWebhookOptions = {},
): Webhook {
  assertOptions("createWebhook()", options, createWebhookOptions);
  const { observer, clock = systemClock, onError = warnOfErrors() } = options;
  const dispatcher = createDispatcher(
    handlers,
    clock,
    observer === undefined ? [] : [observer],
    (message, error) => onError(new Error(message, { cause: error })),
  );
  return { paths: dispatcher.paths, fetch: fetchHandler(dispatcher) };
}

/** Returns the dispatcher of handlers; see {@link createWebhook}. */
export function createDispatcher(
  handlers: readonly WebhookHandler[],
  clock: Clock,
  observers: readonly WebhookObserver[],
  onError: (message: string, error?: unknown) => void,
): WebhookDispatcher {
  const { admissions, conversions } = sortHandlers(handlers);
  const endpoints = [
    ...admissions.flatMap(admissionEndpoints),
    ...(conversions.length > 0 ? [conversionEndpoint(conversions)] : []),
  ];
  const paths = endpoints.map(({ path }) => path);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) {
    throw new KubeError("InvalidArgument", `two webhooks have the path ${twice}`, {
      hint: "give one of them another name",
    });
  }
  return new WebhookDispatcher(endpoints, clock, observers, onError);
}

/** Returns the handlers by their type. */
export function sortHandlers(handlers: readonly WebhookHandler[]): {
  readonly admissions: readonly AnyAdmissionHandler[];
  readonly conversions: readonly ConversionHandler[];
} {
  const conversions = handlers.filter((one) => one.type === "conversion");
  const admissions = handlers.filter((one) => one.type === "admission");
  return { admissions: admissions as readonly AnyAdmissionHandler[], conversions };
}

/** Milliseconds between two warnings. */
const warningIntervalMs = 60_000;

function warnOfErrors(): (error: Error) => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  return ({ message, cause }) => {
    const now = performance.now();
    if (now >= nextAt) {
      nextAt = now + warningIntervalMs;
      const why = cause instanceof Error ? `: ${cause.message}` : "";
      process.emitWarning(`${message}${why}`, {
        type: "TypeKubeWarning",
        code: "TYPEKUBE_WEBHOOK",
      });
    }
  };
}
