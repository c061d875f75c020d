import type { PortTunnel } from "./tunnel.js";

/** Returns the tunnel that fits best for another connection; `undefined` when none is open. */
export function quietestTunnel(tunnels: Iterable<PortTunnel>): PortTunnel | undefined {
  let best: PortTunnel | undefined;
  for (const tunnel of tunnels) {
    const isBetter =
      best === undefined ||
      Number(tunnel.isStalled) - Number(best.isStalled) < 0 ||
      (tunnel.isStalled === best.isStalled && tunnel.active < best.active);
    if (isBetter && !tunnel.isUsedUp) {
      best = tunnel;
    }
  }
  return best;
}
