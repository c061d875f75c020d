import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const docs = join(root, "docs");

/** Matches the code of a page that is a path with a folder, or a folder. */
const path = /`([\w.-]+(?:\/[\w.-]+)*\/(?:[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|yaml))?)`/g;
/** Matches a link to a file or a heading, without its title. */
const link = /\]\(([^)\s:]+)\)/g;

/** Returns the anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll("`", "").toLowerCase();
  return text.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

function isInRepository(file: string): boolean {
  return [root, join(root, "packages")].some((folder) => existsSync(join(folder, file)));
}

it.each(["ARCHITECTURE.md", "wire.md", "informer-states.md"])(
  "every path in docs/%s exists",
  async (page) => {
    const text = await readFile(join(docs, page), "utf8");
    const paths = [...text.matchAll(path)].map(([, file = ""]) => file);
    const inInformer = (file: string) => isInRepository(`informer/src/${file}`);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((file) => !isInRepository(file) && !inInformer(file))).toEqual([]);
  },
);

describe("links of docs/*.md", async () => {
  const pages = (await readdir(docs)).filter((name) => name.endsWith(".md"));

  it.each(pages)("every link of docs/%s leads to a file and a heading", async (page) => {
    const text = await readFile(join(docs, page), "utf8");
    const broken = [];
    for (const [, target = ""] of text.matchAll(link)) {
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? join(docs, page) : join(dirname(join(docs, page)), file);
      if (!existsSync(to)) {
        broken.push(target);
      } else if (anchor !== undefined && to.endsWith(".md")) {
        const headings = (await readFile(to, "utf8")).matchAll(/^#+ (.+)$/gm);
        if (![...headings].some(([, heading = ""]) => anchorOf(heading) === anchor)) {
          broken.push(target);
        }
      }
    }
    expect(broken).toEqual([]);
  });
});
