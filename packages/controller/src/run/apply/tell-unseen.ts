import { type AnyKind, kindId } from "../../definition/any-kind.js";
import { createLog } from "../../log/log.js";
import type { RunContext } from "../context/run-context.js";

/**
 * Warns once for each kind of which a run applies fields that the cache does not keep: a change of others to them causes
 * no run, so it stays until the next one.
 *
 * @param paths - the fields.
 */
export function tellUnseen(context: RunContext, kind: AnyKind, paths: readonly string[]): void {
  const { controller, sink, clock, toldUnseen } = context;
  const id = kindId(kind);
  const owned = controller.owns.filter((one) => kindId(one.kind) === id);
  const isDelivered = owned.some(({ unchanged }) => unchanged === "deliver");
  // Changes of a kind that is not owned cause no run, whatever is kept of it.
  if (paths.length === 0 || owned.length === 0 || isDelivered || toldUnseen.has(id)) {
    return;
  }
  toldUnseen.add(id);
  createLog(sink, clock, { controller: controller.name }).warn(
    `run.apply of ${id} writes ${paths.join(", ")}, which its cache does not keep: what others change there stays until the next run; keep these fields to correct it at once`,
  );
}
