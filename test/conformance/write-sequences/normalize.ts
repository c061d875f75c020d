/** Keys whose values differ from server to server. */
const own = new Set(["creationTimestamp", "deletionTimestamp", "resourceVersion", "time", "uid"]);
const ports = new Set(["healthCheckNodePort", "nodePort"]);

/** An answer with everything in its place that no two servers have in common. */
export function normalize(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalize(item));
    // Owners stand in the order of their times, which the two servers do not share.
    // So do conflicts, which real servers tell in no order at all.
    const isUnordered =
      key === "managedFields" || (key === "causes" && JSON.stringify(items).includes("Conflict"));
    return isUnordered ? items.sort(byText) : items;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => [name, normalize(item, name)]);
    return Object.fromEntries(entries);
  }
  if (own.has(key) && value !== null) {
    return `<${key}>`;
  }
  if (ports.has(key)) {
    return "<port>";
  }
  return typeof value === "string" ? normalizeText(value) : value;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function normalizeText(text: string): string {
  return (
    text
      // The values that a refusal of a change shows in Go's own form.
      .replace(
        /Invalid value: [[{].*?: field is immutable/g,
        "Invalid value: <object>: field is immutable",
      )
      // What a refusal of a change shows of the difference.
      .replace(/\n@@[\s\S]*$/, text.includes("is invalid: [") ? "]" : "")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
      .replace(/\b10\.0\.0\.\d+/g, "<address>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
  );
}
