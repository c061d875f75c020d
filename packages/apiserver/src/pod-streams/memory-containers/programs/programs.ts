import { cat } from "./cat.js";
import { echo } from "./echo.js";
import { env } from "./env.js";
import { head } from "./head.js";
import { ls } from "./ls.js";
import { mkdir } from "./mkdir.js";
import { mv } from "./mv.js";
import type { Program } from "./program.js";
import { rm } from "./rm.js";
import { sort } from "./sort.js";
import { tar } from "./tar.js";
import { bracket, test } from "./test.js";
import { wc } from "./wc.js";

/** Programs of a container in memory, by name. */
export const programs: ReadonlyMap<string, Program> = new Map(
  Object.entries({ "[": bracket, cat, echo, env, head, ls, mkdir, mv, rm, sort, tar, test, wc }),
);
