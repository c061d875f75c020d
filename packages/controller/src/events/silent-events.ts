import type { EventRecorder } from "./event-recorder.js";

/** Records nothing. */
export const silentEvents: EventRecorder = { normal() {}, warning() {} };
