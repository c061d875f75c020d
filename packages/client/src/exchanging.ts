import type { Clock, HttpSend } from "@typekube/core/internal";
import type { ErrorFromResponseOptions } from "@typekube/transport/internal";
import type { ClientDefaults } from "./options.js";

/** What an exchange needs of a client. */
export interface Exchanging {
  readonly send: HttpSend;
  readonly defaults: ClientDefaults;
  readonly clock: Clock;
}

/** Returns the part of a client's settings that reading an error response needs. */
export function errorOptions({ defaults, clock }: Exchanging): ErrorFromResponseOptions {
  return { limits: defaults.limits, redactErrors: defaults.redactErrors, clock };
}
