import { faultText } from "../faults/explored-fault.js";
import type { Finding } from "../findings/finding.js";
import type { TraceLine } from "../record/trace.js";
import { pageStyle } from "./page-style.js";
import { plural } from "./plural.js";
import { alsoInText, type Searched } from "./text-report.js";
import { timeline } from "./timeline.js";

/** Returns a search as one HTML page, without references to anything else. Equal for equal seeds. */
export function htmlReport(searched: Searched): string {
  const { name, seed, runs, findings, known, absentFaults, coverage } = searched;
  const title = `${name ?? "Exploration"}: ${findings.length} ${findings.length === 1 ? "finding" : "findings"}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${plural(runs, "run")}, seed ${seed}${known.length === 0 ? "" : `, ${known.length} known`}</p>
${findings.map(findingSection).join("\n")}
${absentFaults.length === 0 ? "" : `<h2>Did not occur</h2>\n<ul>${absentFaults.map((fault) => `<li>${escapeHtml(faultText(fault))}</li>`).join("")}</ul>`}
${known.length === 0 ? "" : `<h2>Known</h2>\n${known.map(findingSection).join("\n")}`}
<h2>What was tried</h2>
<table>
<thead><tr><th>call of the run without faults</th><th>faults at it</th></tr></thead>
<tbody>
${coverage.calls.map(({ call, tried }) => row([call, tried.join(", ") || "nothing"])).join("\n")}
${coverage.events
  .map(({ resource, events, tried }) =>
    row([`${plural(events, "event")} of ${resource}`, `${plural(tried, "fault")} at each`]),
  )
  .join("\n")}
</tbody>
</table>
${
  coverage.notExplored.length === 0
    ? ""
    : `<h2>Not explored</h2>\n<ul>${coverage.notExplored.map((what) => `<li>${escapeHtml(what)}</li>`).join("")}</ul>`
}
</main>
</body>
</html>
`;
}

function findingSection({
  kind,
  message,
  faults,
  seed,
  lines,
  allLines,
  difference,
  advice,
  alsoIn,
  replay,
}: Finding): string {
  const when =
    faults.length === 0 ? "without any fault" : `when ${faults.map(faultText).join(", and ")}`;
  return `<section class="finding">
<h2>${escapeHtml(`${kind}: ${message}`)}</h2>
<p>${escapeHtml(when)}${seed === undefined ? "" : ` (seed ${seed})`}</p>
${advice === undefined ? "" : `<p>${escapeHtml(advice)}</p>\n`}<p>${escapeHtml(alsoInText(alsoIn))}</p>
${timeline(lines, escapeHtml)}
${lineTable(lines)}
${
  difference.length === 0
    ? ""
    : `<h3>The world, beside the one without faults</h3>\n<pre class="difference">${difference.map(differenceLine).join("\n")}</pre>`
}
<details><summary>Everything that happened, with reads and events</summary>
${lineTable(allLines)}
</details>
<h3>Repeat it</h3>
<pre>${escapeHtml(`await explore(scenario, { replay: '${replay}' });`)}</pre>
</section>`;
}

function lineTable(lines: readonly TraceLine[]): string {
  return `<table>
<thead><tr><th>ms</th><th>who</th><th>what</th><th>result</th></tr></thead>
<tbody>
${lines
  .map(({ atMs, who, what, result, type }) =>
    row([String(atMs), who, what, result], type === "fault" || type === "note" ? "fault" : type),
  )
  .join("\n")}
</tbody>
</table>`;
}

function row(cells: readonly string[], className = ""): string {
  const attribute = className === "" ? "" : ` class="${className}"`;
  return `<tr${attribute}>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;
}

function differenceLine(line: string): string {
  const sign = line.trimStart()[0];
  const className = sign === "+" ? "more" : sign === "-" ? "less" : "";
  return className === ""
    ? escapeHtml(line)
    : `<span class="${className}">${escapeHtml(line)}</span>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text that means itself in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
