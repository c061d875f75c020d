import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { FileError } from "../files/file-error.js";
import { messageOf, type Program, type ProgramIo } from "./program.js";
import { readTarArguments, type TarArguments } from "./tar-arguments.js";
import { sourcesOf } from "./tar-create.js";
import { extractMember } from "./tar-extract.js";

/** Members and bytes of one archive; the limits of the container's files are lower. */
const archiveLimits = { maxFiles: 1_000_000, maxBytes: 1024 ** 3 };

/** `tar -c|-x|-t [-hmz] -f - [-C DIRECTORY] [NAME...]`: its archive is always its input or output. */
export const tar: Program = async (io) => {
  const options = readTarArguments(io.args);
  const { directory, action } = options;
  const node = io.files.find(directory);
  if (node?.type !== "directory") {
    const { message } = new FileError(node === undefined ? "ENOENT" : "ENOTDIR");
    await io.stderr(`tar: can't change directory to '${directory}': ${message}\n`);
    return 1;
  }
  try {
    return action === "create" ? await create(io, options) : await read(io, options);
  } catch (error) {
    await io.stderr(`tar: ${messageOf(error)}\n`);
    return 2;
  }
};

async function create(io: ProgramIo, options: TarArguments): Promise<number> {
  const { loadTar } = await import("typekube/internal");
  const { tarArchive } = await loadTar();
  const { sources, errors } = sourcesOf(io.files, options);
  for (const error of errors) {
    await io.stderr(`tar: ${error}\n`);
  }
  const archive = tarArchive(sources);
  for await (const chunk of options.isGzip ? through(createGzip(), archive) : archive) {
    await io.stdout(chunk);
  }
  return errors.some((error) => !error.startsWith("Removing leading")) ? 1 : 0;
}

async function read(io: ProgramIo, options: TarArguments): Promise<number> {
  const { loadTar } = await import("typekube/internal");
  const { tarMembers } = await loadTar();
  const archive = options.isGzip ? through(createGunzip(), io.stdin) : io.stdin;
  let code = 0;
  for await (const member of tarMembers(archive, archiveLimits)) {
    const { name } = member.entry;
    if (options.action === "list") {
      await io.stdout(`${name}\n`);
      continue;
    }
    try {
      await extractMember(io.files, member, options);
    } catch (error) {
      if (!(error instanceof FileError)) {
        throw error;
      }
      code = 1;
      await io.stderr(`tar: ${name}: ${error.message}\n`);
    }
  }
  return code;
}

function through(
  stream: ReturnType<typeof createGunzip | typeof createGzip>,
  bytes: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  pipeline(Readable.from(bytes), stream, () => {});
  return stream;
}
