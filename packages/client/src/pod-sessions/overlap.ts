const newline = 0x0a;

/** Output of one channel. */
interface Output {
  readonly channel: number;
  readonly bytes: Buffer;
}

/**
 * Returns the index of the first line of a log that attached output repeats; `undefined` when it repeats none. The output
 * began shortly after the lines' first one, so the earliest match is the right one. It may begin within a line, and with
 * two channels their lines are mixed in the log.
 *
 * @param lines - lines with their ends.
 * @param outputs - the output so far, in its order.
 */
export function overlapStart(
  lines: readonly Buffer[],
  outputs: readonly Output[],
): number | undefined {
  const attached = linesOfChannels(outputs);
  // Whole lines first, since the end of another line may look the same.
  for (const isWhole of [true, false]) {
    const index = lines.findIndex((_, at) => matches(lines, at, attached, isWhole));
    if (index >= 0) {
      return index;
    }
  }
  return undefined;
}

/** Returns whether the output so far repeats all lines of a log: then none of them comes again on another channel. */
export function repeatsAll(lines: readonly Buffer[], outputs: readonly Output[]): boolean {
  const attached = linesOfChannels(outputs);
  const next = attached.map(() => 0);
  return lines.every((line) => {
    const channel = attached.findIndex((given, at) => {
      const expected = given[next[at] ?? 0];
      return expected?.at(-1) === newline && repeats(line, expected, next[at] === 0);
    });
    if (channel < 0) {
      return false;
    }
    next[channel] = (next[channel] ?? 0) + 1;
    return true;
  });
}

function linesOfChannels(outputs: readonly Output[]): Buffer[][] {
  const channels = new Map<number, Buffer[]>();
  for (const { channel, bytes } of outputs) {
    const chunks = channels.get(channel) ?? [];
    if (bytes.byteLength > 0) {
      chunks.push(bytes);
      channels.set(channel, chunks);
    }
  }
  return [...channels.values()].map((chunks) => linesIn(Buffer.concat(chunks)));
}

/** Returns whether lines from an index on continue the output of channels, as far as that is known. */
function matches(
  lines: readonly Buffer[],
  from: number,
  channels: readonly (readonly Buffer[])[],
  isWhole: boolean,
): boolean {
  const next = channels.map(() => 0);
  let matched = 0;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] as Buffer;
    const channel = channels.findIndex((given, at) => {
      const own = next[at] ?? 0;
      return repeats(line, given[own], own === 0 && !isWhole);
    });
    if (channel >= 0) {
      next[channel] = (next[channel] ?? 0) + 1;
      matched += 1;
      if (channels.every((given, at) => next[at] === given.length)) {
        return true;
      }
    } else if (matched === 0 || channels.every((given, at) => (next[at] ?? 0) < given.length)) {
      // The next line of each channel is another one.
      return false;
    }
  }
  return matched > 0;
}

function repeats(line: Buffer, expected: Buffer | undefined, isWithin: boolean): boolean {
  if (expected === undefined) {
    return false;
  }
  if (isWithin && expected.at(-1) === newline && expected.byteLength < line.byteLength) {
    // The output began within the line.
    return line.subarray(-expected.byteLength).equals(expected);
  }
  // The last line may not be complete yet.
  return line.subarray(0, expected.byteLength).equals(expected);
}

function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return start < bytes.byteLength ? [...lines, bytes.subarray(start)] : lines;
}
