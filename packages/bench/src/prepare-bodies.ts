import { request } from "undici/index.js";
import { bodyTypes } from "./body-types.js";
import type { Row, Task } from "./task.js";

/** Makes the server build the bodies that a task's programs will request, so that none of them waits for it. */
export async function prepareBodies(task: Task, url: string): Promise<void> {
  for (const path of pathsOf(task)) {
    for (const accept of acceptsOf(task.rows)) {
      // The server sends the headers once the body is built. On a busy machine a body of 200,000 pods takes longer than
      // the five minutes that `fetch` waits.
      const { body } = await request(url + path, { headers: { accept }, headersTimeout: 0 });
      // The rest is of no use, and the end of the connection is no failure.
      body.on("error", () => {}).destroy();
    }
  }
}

/** Returns the paths that the programs of a task read. */
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

/**
 * Returns the media types that the programs of a task accept. Other bodies are not built: they may be too large to
 * build.
 */
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
