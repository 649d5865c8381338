import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type AssetFile, assetsAt, ofPackage, onDisk, script } from "../docs/assets.ts";
import { vocabulary } from "./vocabulary.ts";

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
  "vocabulary.js": script(() => `export default ${JSON.stringify(vocabulary())};\n`),
};

/** Package names that scripts of the console import → the file. */
const PACKAGES: Record<string, string> = {
  "lit-html": "lit-html.js",
  uplot: "uplot.js",
  "eventsource-parser": "eventsource-parser.js",
};

/** The scripts and style sheets of the console. */
export const consoleFiles = assetsAt(PATH, FILES);

/** Names that a script may import → the address of the file, which changes with its content. */
export function importMap(): Record<string, string> {
  const own = Object.keys(FILES).filter((name) => name.endsWith(".js"));
  return Object.fromEntries([
    ...own.map((name) => [`${PATH}/${name}`, consoleFiles.linkTo(name)]),
    ...Object.entries(PACKAGES).map(([specifier, name]) => [specifier, consoleFiles.linkTo(name)]),
  ]);
}
