import type { TraceLine } from "../record/trace.js";

/** Widths and heights in the units of the drawing. */
const size = { label: 110, step: 44, lane: 34, top: 8, dot: 7 };

/** Most lines that one drawing shows. */
const maxLines = 24;

/** Returns a run as a drawing: a lane for each process, and its actions from left to right. */
export function timeline(lines: readonly TraceLine[], textOf: (text: string) => string): string {
  const shown = lines.slice(0, maxLines);
  const lanes = [...new Set(shown.map(({ who }) => who))];
  const width = size.label + Math.max(1, shown.length) * size.step;
  const height = size.top + lanes.length * size.lane;
  const yOf = (who: string) => size.top + lanes.indexOf(who) * size.lane + size.lane / 2;
  const laneLines = lanes.map((who) => {
    const y = yOf(who);
    return `<text class="name" x="0" y="${y + 4}">${textOf(who)}</text><line class="lane" x1="${size.label}" y1="${y}" x2="${width}" y2="${y}"/>`;
  });
  const dots = shown.map(({ who, what, result, type, atMs }, at) => {
    const x = size.label + at * size.step + size.step / 2;
    const text = `${atMs} ms, ${who}: ${what}${result === "" ? "" : ` → ${result}`}`;
    const shape =
      type === "fault" || type === "note"
        ? `<path class="${type}" d="M${x} ${yOf(who) - size.dot} l${size.dot} ${2 * size.dot} h${-2 * size.dot} z"/>`
        : `<circle class="${type}" cx="${x}" cy="${yOf(who)}" r="${size.dot}"/>`;
    return `<g><title>${textOf(text)}</title>${shape}</g>`;
  });
  return `<svg width="${width}" viewBox="0 0 ${width} ${height}" role="img" aria-label="timeline">${laneLines.join("")}${dots.join("")}</svg>`;
}
