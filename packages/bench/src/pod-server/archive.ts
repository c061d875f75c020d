import { copiedFileContent, copiedFileName, copiedFiles } from "../bench-pod.js";

const blockBytes = 512;
const archives = new Map<string, Buffer>();

/** Returns the archive that `tar` makes of the copied files, by the path in its arguments. Made once for each path. */
export function madeArchive(path: string): Buffer {
  // tar leaves out the slash of absolute paths.
  const prefix = path.replace(/^\/+/, "");
  const made = archives.get(prefix) ?? makeArchive(prefix);
  archives.set(prefix, made);
  return made;
}

function makeArchive(prefix: string): Buffer {
  const blocks = [header(`${prefix}/`, 0o755, 0, "5")];
  for (let index = 0; index < copiedFiles.count; index++) {
    const content = copiedFileContent(index);
    const padded = Buffer.alloc(Math.ceil(content.byteLength / blockBytes) * blockBytes);
    padded.set(content);
    blocks.push(
      header(`${prefix}/${copiedFileName(index)}`, 0o644, content.byteLength, "0"),
      padded,
    );
  }
  blocks.push(Buffer.alloc(2 * blockBytes));
  return Buffer.concat(blocks);
}

/** Returns a header. (POSIX.1-1988, ustar) */
function header(name: string, mode: number, size: number, type: string): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  block.write(name, 0, "utf8");
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(1_750_000_000, 136, 12);
  // The checksum counts as spaces.
  block.write("        ", 148, "latin1");
  block.write(type, 156, "latin1");
  block.write("ustar\0" + "00", 257, "latin1");
  let sum = 0;
  for (const byte of block) {
    sum += byte;
  }
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}
