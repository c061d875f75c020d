import {
  type AnyOptionTable,
  flag,
  type NestedOptions,
  type OptionCheck,
  type OptionTable,
  text,
} from "@typekube/core/internal";
import { portNumber } from "../http/port-number.js";

/** A registry of prom-client 15. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  getMetricsAsJSON(): Promise<readonly object[]>;
  getSingleMetric(name: string): unknown;
  registerMetric(metric: never): void;
  removeSingleMetric(name: string): void;
}

/** Metrics of a manager, served at `/metrics`. They need the package prom-client. */
export interface MetricsOptions {
  /** Port; 0 is a free one, see `manager.ports`. Default 8080. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: all. */
  readonly host?: string | undefined;
  /**
   * Registry of prom-client that the families of the manager are added to, until it stops. Pass your own to serve further
   * metrics at the same port. Default: a new one.
   */
  readonly registry?: MetricsRegistry | undefined;
  /**
   * Serves only those who send a token of the cluster and may `get` the path `/metrics`. (controller-runtime's
   * WithAuthenticationAndAuthorization) The manager needs the verb `create` for TokenReviews and SubjectAccessReviews.
   * Default false.
   */
  readonly protect?: boolean | undefined;
  /** Certificate and key in PEM, to serve HTTPS. Default: HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Measures durations and retries of requests, too. Default false. */
  readonly requestDurations?: boolean | undefined;
}

const registry: OptionCheck = {
  mustBe: "a registry of prom-client",
  isValid: (value) =>
    typeof (value as Partial<MetricsRegistry> | null)?.getMetricsAsJSON === "function",
};

const tls: OptionCheck = {
  mustBe: "an object with the texts cert and key",
  isValid: (value) => {
    const { cert, key } = (value ?? {}) as { readonly cert?: unknown; readonly key?: unknown };
    return typeof cert === "string" && typeof key === "string";
  },
};

/** Names and checks of {@link MetricsOptions}. */
export const metricsOptions: NestedOptions = {
  call: "metrics",
  prefix: "metrics.",
  table: {
    host: text,
    port: portNumber,
    protect: flag,
    registry,
    requestDurations: flag,
    tls,
  } satisfies OptionTable<MetricsOptions> & AnyOptionTable,
};
