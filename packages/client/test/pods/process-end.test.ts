import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("finished-script.ts", import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of source) {
    text += Buffer.from(chunk).toString();
  }
  return text;
}

/** Starts a server with a pod, and the script beside it. */
async function run(mode: "closed" | "input" | "open") {
  let sleeping = () => {};
  const isSleeping = new Promise<void>((resolve) => {
    sleeping = resolve;
  });
  const api = await startApiServer({
    pods: {
      async exec({ command: [program], stdin, stdout, signal }) {
        if (program === "sleep") {
          sleeping();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        } else if (program === "true") {
          return 0;
        } else {
          await stdout((await textOf(stdin)).toUpperCase());
        }
        return 0;
      },
      portForward: async ({ data, write }) => write((await textOf(data)).toUpperCase()),
    },
  });
  const client = await api.client();
  await client.resource(Pod, "default").create({
    metadata: { name: "web-0" },
    spec: { containers: [{ name: "main", image: "x" }] },
  });
  const { server } = await api.listen({ tls: false, anonymous: true });
  const child = spawn(
    process.execPath,
    ["--conditions=@typekube/source", "--import", tsx, script, server, mode],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  if (mode !== "input") {
    child.stdin.end();
  }
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { api, child, isSleeping, ended: once(child, "exit"), output: () => output };
}

it("XT20: a finished script exits by itself after sessions and forwarded ports were closed", async () => {
  const { api, ended, output } = await run("closed");
  await using _api = api;
  expect(await ended).toEqual([0, null]);
  expect(output()).toBe("SENT\nDONE\n");
});

it("XT20: an input that goes on does not keep a process alive whose command has ended", async () => {
  const { api, ended, output } = await run("input");
  await using _api = api;
  expect(await ended).toEqual([0, null]);
  expect(output()).toBe("SENT\nDONE\n");
});

it("XT20: an open session keeps a process alive until it ends", async () => {
  const { api, child, isSleeping, ended, output } = await run("open");
  await isSleeping;
  await expect.poll(output).toBe("SENT\nDONE\n");
  expect(child.exitCode).toBeNull();
  // The server ends the session, and with it the process.
  await api.close();
  const [code] = await ended;
  expect(code).toBe(0);
});
