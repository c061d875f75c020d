import type { ServerResponse } from "node:http";
import { lineBytes } from "../bench-pod.js";

/** Lines that are made once and sent repeatedly. All have times of the same second. */
const linesPerBurst = 10_000;
const firstTime = "2026-01-01T00:00:00.";
/** Index of the minute in a time; the second follows after a colon. */
const minuteAt = 14;
const zero = 0x30;

/** Sends a number of lines, as fast as the client reads. The times of each burst are a second later. */
export async function sendLog(
  response: ServerResponse,
  { lines, timestamps }: { readonly lines: number; readonly timestamps: boolean },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/plain" });
  const burst = burstOf(timestamps);
  const step = burst.byteLength / linesPerBurst;
  for (let sent = 0, second = 0; sent < lines; sent += linesPerBurst, second++) {
    const bytes = Buffer.from(burst.subarray(0, Math.min(linesPerBurst, lines - sent) * step));
    if (timestamps) {
      setTimes(bytes, step, second);
    }
    if (!response.write(bytes)) {
      await moreRoom(response);
    }
    if (response.destroyed) {
      return;
    }
  }
  response.end();
}

/** Resolves when a response takes more, or is closed. */
function moreRoom(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

function burstOf(timestamps: boolean): Buffer {
  return Buffer.from(
    Array.from({ length: linesPerBurst }, (_, index) => {
      const time = timestamps ? `${firstTime}${String(index * 99_999).padStart(9, "0")}Z ` : "";
      return `${time}${lineOf(index)}\n`;
    }).join(""),
  );
}

function lineOf(index: number): string {
  const text = `{"level":"info","request":${index},"path":"/api/v1/items/${index % 97}","ms":${index % 13},"agent":"`;
  return `${text}${"curl/8.5 ".repeat(lineBytes)}`.slice(0, lineBytes - 2).concat('"}');
}

function setTimes(bytes: Buffer, step: number, second: number): void {
  const digits = [
    Math.floor(second / 600) % 6,
    Math.floor(second / 60) % 10,
    Math.floor(second / 10) % 6,
    second % 10,
  ].map((digit) => zero + digit) as [number, number, number, number];
  const [tensOfMinutes, minutes, tens, seconds] = digits;
  for (let at = minuteAt; at < bytes.byteLength; at += step) {
    bytes[at] = tensOfMinutes;
    bytes[at + 1] = minutes;
    bytes[at + 3] = tens;
    bytes[at + 4] = seconds;
  }
}
