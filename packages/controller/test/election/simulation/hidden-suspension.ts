import type { Network } from "./lease-server.js";
import type { SimulatedProcess } from "./simulated-process.js";
import type { World } from "./world.js";

/**
 * Suspends a machine without a network a few seconds after its time of day was set back: neither of its clocks shows how
 * much time has passed since the last renewal.
 *
 * @param between - returns a random number.
 */
export function hideSuspension(
  world: World,
  process: SimulatedProcess,
  network: Network,
  between: (least: number, most: number) => number,
): void {
  const forMs = between(8_000, 30_000);
  process.jump(-between(5_000, 40_000));
  network.cutUntil = world.now + forMs + 10_000;
  world.after(between(1_300, 6_000), () => process.suspend(forMs));
}
