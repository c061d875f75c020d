import {
  type AnyOptionTable,
  type NestedOptions,
  type OptionCheck,
  type OptionTable,
  object,
  text,
} from "@typekube/core/internal";
import { portNumber } from "../http/port-number.js";

/**
 * Checks something: throws or rejects when it is not well. Gets 5 s; its signal aborts then.
 */
export type HealthCheck = (signal: AbortSignal) => Promise<void> | void;

/** Checks by name. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

/** Health of a manager, served at `/healthz` and `/readyz` for the probes of its pod. */
export interface HealthOptions {
  /** Port; 0 is a free one, see `manager.ports`. Default 8081. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: all. */
  readonly host?: string | undefined;
  /**
   * Further checks. A failed one of `live` lets the kubelet restart the process; one of `ready` takes the process out of
   * its Services. Default: none.
   */
  readonly checks?:
    | { readonly live?: HealthChecks | undefined; readonly ready?: HealthChecks | undefined }
    | undefined;
}

const functions: OptionCheck = {
  mustBe: "an object with functions live or ready by name",
  isValid: (value) =>
    object.isValid(value) &&
    Object.entries(value as object).every(
      ([kind, checks]) =>
        (kind === "live" || kind === "ready") &&
        (checks === undefined ||
          (object.isValid(checks) &&
            Object.values(checks as object).every((one) => typeof one === "function"))),
    ),
};

/** Names and checks of {@link HealthOptions}. */
export const healthOptions: NestedOptions = {
  call: "health",
  prefix: "health.",
  table: { checks: functions, host: text, port: portNumber } satisfies OptionTable<HealthOptions> &
    AnyOptionTable,
};
