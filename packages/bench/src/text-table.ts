/** Aligns rows into columns: the first to the left, the others to the right. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      widths
        .map((width, column) =>
          column === 0 ? (row[column] ?? "").padEnd(width) : (row[column] ?? "").padStart(width),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
