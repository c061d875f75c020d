import type { Clock, HttpSend } from "@typekube/core/internal";
import type { ErrorFromResponseOptions } from "@typekube/transport/internal";
import type { ClientDefaults } from "../options/options.js";

/** The parts of a client that an exchange needs. */
export interface Exchanging {
  readonly send: HttpSend;
  readonly defaults: ClientDefaults;
  readonly clock: Clock;
}

/** Returns the client settings needed to read an error response. */
export function errorOptions({ defaults, clock }: Exchanging): ErrorFromResponseOptions {
  return { limits: defaults.limits, redactErrors: defaults.redactErrors, clock };
}
