import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { surviveClosedOutput } from "../src/command/survive-closed-output.js";

const source = fileURLToPath(new URL("../src/command/survive-closed-output.ts", import.meta.url));

/** Runs a program that writes until its reader is gone, and returns its exit code and standard error. */
async function runWithoutReader(first: string) {
  const program = `${first}
    let left = 200;
    const next = () => {
      process.stdout.write("line\\n".repeat(1000));
      left -= 1;
      if (left > 0) setImmediate(next);
      else process.exitCode = 1;
    };
    next();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  let err = "";
  child.stderr.on("data", (part) => {
    err += String(part);
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const [code, signal] = await once(child, "close");
  return { code, signal, err };
}

test("a closed standard output ends quietly, with the exit code of the work", async () => {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  expect((await runWithoutReader("")).err).toContain("EPIPE");
  const survived = await runWithoutReader(
    `${text}\nsurviveClosedOutput([process.stdout, process.stderr], () => process.emit("SIGTERM", "SIGTERM"));`,
  );
  expect(survived).toEqual({ code: 1, signal: null, err: "" });
});

test("a command that runs on is ended once, and other errors of the output are not hidden", () => {
  const [out, err] = [new EventEmitter(), new EventEmitter()];
  let ended = 0;
  surviveClosedOutput([out, err], () => {
    ended += 1;
  });
  const closed = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  out.emit("error", closed);
  out.emit("error", closed);
  err.emit("error", closed);
  expect(ended).toBe(1);
  const full = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
  expect(() => out.emit("error", full)).toThrow("ENOSPC");
});
