import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { twoContainerPod } from "../helpers/two-container-pod.js";

/** Commands in a row. TYPEKUBE_EXECS sets a larger number than a quick run has time for. */
const count = Number(process.env["TYPEKUBE_EXECS"] ?? 1_000);
/** Bytes by which the heap of this process, which also has the server, may grow. */
const maxGrowth = 4 * 1024 * 1024;

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name.includes("TCPSocket")).length;
}

async function heapBytes(): Promise<number> {
  // Sockets of the last commands close in later turns.
  await expect.poll(openSockets).toBeLessThan(10);
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

it(`XE21: ${count} commands in a row leave no memory, sockets or listeners behind`, async () => {
  const { pod } = await twoContainerPod({
    journalLimit: 10,
    pods: {
      exec: async ({ command, stdin, stdout }) => {
        for await (const chunk of stdin) {
          await stdout(chunk);
        }
        return Number(command[1]);
      },
    },
  });
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(String(warning));
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  const run = async (at: number) => {
    const options = { signal, stdin: `input ${at}`, container: "main" };
    const output = await pod.exec(["exit", String(at % 256)], options);
    expect(output).toEqual({ exitCode: at % 256, stdout: `input ${at}`, stderr: "" });
  };
  for (let at = 0; at < 300; at++) {
    await run(at);
  }
  const before = { heap: await heapBytes(), sockets: openSockets() };
  let mostSockets = 0;
  for (let at = 0; at < count; at++) {
    await run(at);
    mostSockets = Math.max(mostSockets, openSockets());
  }
  const after = { heap: await heapBytes(), sockets: openSockets() };
  process.off("warning", onWarning);
  const growth = after.heap - before.heap;
  console.log(
    `${count} commands: the heap grew by ${growth} bytes, from ${before.heap}; at most ${mostSockets} sockets`,
  );
  expect(growth).toBeLessThan(maxGrowth);
  expect(after.sockets).toBeLessThanOrEqual(before.sockets + 2);
  expect(mostSockets).toBeLessThan(50);
  await expect.poll(() => getEventListeners(signal, "abort").length).toBe(0);
  expect(warnings).toEqual([]);
});
