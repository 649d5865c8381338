import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type AssetFile, type Assets, assetsAt, ofPackage, onDisk, script } from "../docs/assets.ts";
import type vocabulary from "./browser/vocabulary.d.ts";

const BROWSER = join(import.meta.dirname, "browser");
const PATH = "/console/assets";

const FILES: Record<string, AssetFile> = {
  ...Object.fromEntries(
    readdirSync(BROWSER)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, onDisk(BROWSER, name)]),
  ),
  "lit-html.js": ofPackage("lit-html", "..", "lit-html.js"),
  "uplot.js": ofPackage("uplot", "uPlot.esm.js"),
  "uplot.css": ofPackage("uplot", "uPlot.min.css"),
  "eventsource-parser.js": ofPackage("eventsource-parser", "index.js"),
};

/** Package names that scripts of the console import → the file. */
const PACKAGES: Record<string, string> = {
  "lit-html": "lit-html.js",
  uplot: "uplot.js",
  "eventsource-parser": "eventsource-parser.js",
};

/** The words of the API that the console offers. */
export type Vocabulary = typeof vocabulary;

/** The scripts and style sheets of the console. */
export interface ConsoleFiles extends Assets<string> {
  /** Names that a script may import → the address of the file, which changes with its content. */
  importMap(): Record<string, string>;
}

/** The scripts and style sheets with these words. */
export function consoleFiles(vocabulary: Vocabulary): ConsoleFiles {
  const files: Record<string, AssetFile> = {
    ...FILES,
    "vocabulary.js": script(() => `export default ${JSON.stringify(vocabulary)};\n`),
  };
  const assets = assetsAt(PATH, files);
  return {
    ...assets,
    importMap() {
      const own = Object.keys(files).filter((name) => name.endsWith(".js"));
      return Object.fromEntries([
        ...own.map((name) => [`${PATH}/${name}`, assets.linkTo(name)]),
        ...Object.entries(PACKAGES).map(([specifier, name]) => [specifier, assets.linkTo(name)]),
      ]);
    },
  };
}
