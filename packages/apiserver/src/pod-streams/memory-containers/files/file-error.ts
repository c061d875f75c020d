/** Texts of the system's errors, as programs print them. */
const texts = {
  EEXIST: "File exists",
  EINVAL: "Invalid argument",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  ENOTEMPTY: "Directory not empty",
} as const;

/** Failure of an operation on files in memory. */
export class FileError extends Error {
  override readonly name = "FileError";
  /** As Node and POSIX name it. */
  readonly code: keyof typeof texts;

  constructor(code: keyof typeof texts) {
    super(texts[code]);
    this.code = code;
  }
}
