/** The five fields of a schedule with the numbers and the names that they may hold. */
const fields = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  {
    least: 1,
    most: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { least: 0, most: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
] as const;

const descriptors = [
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
];

/** What is wrong with a schedule of cron; `undefined` for nothing. */
export function scheduleText(schedule: string): string | undefined {
  if (schedule.includes("TZ")) {
    return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
  }
  if (schedule.startsWith("@")) {
    return descriptorText(schedule);
  }
  const parts = schedule.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [at, part] of parts.entries()) {
    for (const range of part.split(",")) {
      const wrong = rangeText(range, fields[at] as Field);
      if (wrong !== undefined) {
        return wrong;
      }
    }
  }
  return undefined;
}

type Field = (typeof fields)[number];

function descriptorText(schedule: string): string | undefined {
  const [, duration] = /^@every (.+)$/.exec(schedule) ?? [];
  if (duration !== undefined) {
    return /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(duration)
      ? undefined
      : `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(duration)}`;
  }
  return descriptors.includes(schedule) ? undefined : `unrecognized descriptor: ${schedule}`;
}

function rangeText(range: string, { least, most, names }: Field): string | undefined {
  const [span = "", step, ...more] = range.split("/");
  const [low = "", high, ...rest] = span.split("-");
  if (more.length > 0) {
    return `too many slashes: ${range}`;
  }
  if (rest.length > 0) {
    return `too many hyphens: ${range}`;
  }
  const isAny = low === "*" || low === "?";
  const start = isAny ? least : numberOf(low, names);
  const end = isAny
    ? most
    : high === undefined
      ? step === undefined
        ? start
        : most
      : numberOf(high, names);
  const by = step === undefined ? 1 : Number(step);
  for (const [value, text] of [
    [start, low],
    [end, high ?? low],
    [by, step ?? ""],
  ] as const) {
    if (!Number.isInteger(value)) {
      return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    }
  }
  if (by === 0) {
    return `step of range should be a positive number: ${range}`;
  }
  if (start < least) {
    return `beginning of range (${start}) below minimum (${least}): ${range}`;
  }
  if (end > most) {
    return `end of range (${end}) above maximum (${most}): ${range}`;
  }
  return start > end
    ? `beginning of range (${start}) beyond end of range (${end}): ${range}`
    : undefined;
}

function numberOf(text: string, names: readonly string[]): number {
  const at = names.indexOf(text.toLowerCase());
  if (at >= 0) {
    // Months count from one.
    return names.length === 12 ? at + 1 : at;
  }
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
