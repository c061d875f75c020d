/** A member of an archive that a test makes. Nothing about it is checked. */
export interface TestMember {
  readonly name: string;
  /** Type flag of POSIX or GNU. Default `0`, a file. */
  readonly flag?: string;
  readonly content?: Uint8Array | string;
  readonly linkName?: string;
  readonly mode?: number;
  /** Size that the header states. Default: that of the content. */
  readonly size?: number;
  /** Raw bytes over fields of the header, by their offset; the checksum is right all the same. */
  readonly raw?: Readonly<Record<number, Uint8Array | string>>;
  /** Checksum that the header states. Default: the right one. */
  readonly checksum?: number;
}

const blockBytes = 512;

/** Returns an archive of these members, with or without its end. */
export function tarBytes(members: readonly TestMember[], { end = true } = {}): Buffer {
  const blocks = members.flatMap((member) => {
    const content = Buffer.from(member.content ?? "");
    const padding = Buffer.alloc((blockBytes - (content.byteLength % blockBytes)) % blockBytes);
    return [headerBlock(member, content.byteLength), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end ? 2 * blockBytes : 0)]);
}

/** Returns the content of an extended header: a record for each pair. */
export function paxContent(records: Readonly<Record<string, string>>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      const bytes = Buffer.byteLength(rest);
      const digits = String(bytes + String(bytes).length).length;
      return `${bytes + digits}${rest}`;
    })
    .join("");
}

function headerBlock(member: TestMember, contentBytes: number): Buffer {
  const { name, flag = "0", linkName = "", mode = 0o644, size = contentBytes, raw = {} } = member;
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  Buffer.from(name).copy(header, 0, 0, 100);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(1_000_000_000, 11), 136);
  header.write(flag, 156, "latin1");
  Buffer.from(linkName).copy(header, 157, 0, 100);
  header.write("ustar\x0000", 257, "latin1");
  for (const [at, bytes] of Object.entries(raw)) {
    Buffer.from(bytes).copy(header, Number(at));
  }
  writeChecksum(header, member.checksum);
  return header;
}

/** Writes the checksum of a header, the right one by default. */
export function writeChecksum(header: Buffer, checksum?: number): void {
  header.fill(" ", 148, 156);
  const sum = checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
}
