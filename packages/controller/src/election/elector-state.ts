import type { KubeError } from "@typekube/core";
import type { Leadership } from "./leadership.js";

/**
 * The states of an elector:
 *
 * - `follower`: a candidate while another process leads, or none. Next: `leader` when it acquires the lease.
 * - `leader`: holds the lease and renews it. Next: `lost` or `released`.
 * - `lost`: led, and the lease was not renewed in time or has another holder. Next: `follower` after `rejoin()`.
 * - `released`: led, and released the lease. Next: `follower` after `rejoin()`.
 * - `stopped`: closed. Final.
 */
export type ElectorState =
  | { readonly name: "follower" }
  | { readonly name: "leader"; readonly leadership: Leadership }
  | { readonly name: "lost"; readonly error: KubeError }
  | { readonly name: "released" }
  | { readonly name: "stopped" };
