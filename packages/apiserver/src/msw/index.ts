export type { ApiHandlerOptions, MswHttp } from "./api-handlers.js";
export { apiHandlers } from "./api-handlers.js";
