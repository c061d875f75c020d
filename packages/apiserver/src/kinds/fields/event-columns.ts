import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import type { TableColumn } from "../../resources/table-column.js";
import { sinceText } from "../../response/table/age.js";
import { nameColumn, text, wide } from "../../response/table/make-column.js";

/** Columns of Events, for both API groups. */
export const eventColumns: readonly TableColumn[] = [
  text("Last Seen", "Time since the last occurrence.", lastSeen),
  text("Type", "Normal or Warning.", ({ type }) => type ?? ""),
  text("Reason", "Reason of the event, in a word.", ({ reason }) => reason ?? ""),
  text("Object", "Object of the event.", (event) => {
    const { kind, name } = subjectOf(event);
    const shownKind = String(kind ?? "").toLowerCase();
    return (name ?? "") === "" ? shownKind : `${shownKind}/${String(name)}`;
  }),
  wide(text("Subobject", "Field of the object.", (event) => subjectOf(event)["fieldPath"] ?? "")),
  wide(text("Source", "Component that reports the event.", sourceOf)),
  text("Message", "Message of the event.", ({ message, note }) =>
    String(message ?? note ?? "").trim(),
  ),
  wide(text("First Seen", "Time since the first occurrence.", firstSeen)),
  wide(text("Count", "Number of occurrences.", countOf)),
  wide(nameColumn),
];

function subjectOf(event: JsonObject): JsonObject {
  return mapOf(event["involvedObject"] ?? event["regarding"]);
}

function firstSeen(event: JsonObject, now: number): string {
  return sinceText(
    event["firstTimestamp"] ?? event["deprecatedFirstTimestamp"] ?? event["eventTime"],
    now,
  );
}

function lastSeen(event: JsonObject, now: number): string {
  const { lastObservedTime } = mapOf(event["series"]);
  const last = event["lastTimestamp"] ?? event["deprecatedLastTimestamp"];
  const seen = lastObservedTime ?? last ?? undefined;
  return seen === undefined ? firstSeen(event, now) : sinceText(seen, now);
}

function countOf(event: JsonObject): unknown {
  const { count } = mapOf(event["series"]);
  return count ?? (event["count"] || event["deprecatedCount"] || 1);
}

function sourceOf(event: JsonObject): string {
  const { component = "", host = "" } = mapOf(event["source"] ?? event["deprecatedSource"]);
  const reporter = event["reportingComponent"] ?? event["reportingController"];
  const who = component === "" ? reporter : component;
  const where = component === "" ? event["reportingInstance"] : host;
  return [who, where].filter((part) => part !== undefined && part !== "").join(", ");
}
