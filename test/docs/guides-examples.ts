import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { guideNames } from "../../packages/pages/docs/guides/chapters.ts";
import { useDurableServer } from "./durable-server.ts";
import { startGuideWorld } from "./guide-world.ts";
import { startQuickStartWorld } from "./quick-start-world.ts";
import { runGuide } from "./run-guide.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "guides");

/** Chapters whose blocks are run as a whole, at a server that has just started for the first time. */
const IN_THE_DEMO = ["quick-start", "recipes"];

/** Number of files that share the chapters, so that none of them takes as long as all do. */
const FILES = 3;

/** Tests of the chapters of one of these files, from 1 to FILES. */
export function testExamples(file: number): void {
  describe("The examples of the guides", () => {
    let stop: () => Promise<void>;

    beforeAll(async () => {
      stop = await useDurableServer();
    });

    afterAll(() => stop());

    it.each(guideNames().filter((_, place) => place % FILES === file - 1))("%s does what it says", async (name) => {
      const world = await (IN_THE_DEMO.includes(name) ? startQuickStartWorld() : startGuideWorld());
      try {
        const faults = await runGuide(readFileSync(join(FOLDER, `${name}.md`), "utf8"), world);
        if (faults.length > 0) throw new Error(faults.map((fault) => `docs/guides/${name}.md:${fault}`).join("\n\n"));
      } finally {
        await world.stop();
      }
    });
  });
}
