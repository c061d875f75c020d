import { bodyTypes } from "./body-types.js";
import type { Row, Task } from "./plan.js";

/** Makes the server build what the programs of a task ask of it, so that none of them waits for that. */
export async function prepareBodies(task: Task, url: string): Promise<void> {
  for (const path of pathsOf(task)) {
    for (const accept of acceptsOf(task.rows)) {
      const response = await fetch(url + path, { headers: { accept } });
      // The headers come when the body is made.
      await response.body?.cancel();
    }
  }
}

/** What the programs of a task read. */
function pathsOf({ rows, count, pods }: Task): string[] {
  const requested = (cell: string, variant = "") =>
    rows.some((row) => row.cell.startsWith(`${cell}-typekube`) && row.variant.includes(variant));
  const list = "/api/v1/pods";
  const watch = `${list}?watch=true`;
  const events = `labelSelector=events-${count}`;
  return [
    ...(requested("get") || requested("write") ? ["/api/v1/namespaces/team-00/pods/pod"] : []),
    ...(requested("list", "pages") ? pagesOf(list, pods) : []),
    ...(requested("list") && !requested("list", "pages") ? [list] : []),
    ...(requested("informer") ? [list, `${watch}&sendInitialEvents=true`] : []),
    ...(requested("watch") || requested("informer-events") ? [`${watch}&${events}`] : []),
  ];
}

const pageSize = 500;

function pagesOf(list: string, pods: number): string[] {
  return Array.from(
    { length: Math.ceil(pods / pageSize) },
    (_, page) => `${list}?limit=${pageSize}&continue=${page * pageSize}`,
  );
}

/** What the programs of a task ask for; a body that nobody asks for may be larger than can be made. */
function acceptsOf(rows: readonly Row[]): string[] {
  const requested = rows.map(({ program, variant }) =>
    /cbor/.test(variant)
      ? bodyTypes.cbor
      : /auto|protobuf/.test(`${program} ${variant}`)
        ? bodyTypes.protobuf
        : bodyTypes.json,
  );
  return [...new Set(requested)];
}
