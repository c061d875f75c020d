import { expect, it } from "vitest";
import { copiedFiles } from "../src/bench-pod.js";
import { madeArchive } from "../src/pod-server/archive.js";
import { ArchiveCounter } from "../src/pod-server/archive-counter.js";

const archive = madeArchive("/data/files");

it.each([1_000, 512, 65_536])("counts files and bytes in pieces of %i bytes", (size) => {
  const counter = new ArchiveCounter();
  for (let at = 0; at < archive.byteLength; at += size) {
    counter.push(archive.subarray(at, at + size));
  }
  expect(counter.files).toBe(copiedFiles.count);
  expect(counter.bytes).toBe(copiedFiles.count * copiedFiles.bytes);
});

it("counts fewer files in an archive that is cut off", () => {
  const counter = new ArchiveCounter();
  counter.push(archive.subarray(0, archive.byteLength / 2));
  expect(counter.files).toBeLessThan(copiedFiles.count);
});

it("has the path of the command without its slash, as tar does", () => {
  expect(archive.toString("latin1", 0, 11)).toBe("data/files/");
});
