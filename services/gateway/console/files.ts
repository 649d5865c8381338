import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { versioned } from "../docs/assets.ts";
import { vocabulary } from "./vocabulary.ts";

const BROWSER = join(import.meta.dirname, "browser");
const DOCS = join(import.meta.dirname, "..", "docs");
const require = createRequire(import.meta.url);

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

interface File {
  type: string;
  read(): string | Buffer;
}

const onDisk = (type: string, path: string): File => ({ type, read: () => readFileSync(path) });

/** A file of a package, by its path from the one that Node resolves. */
const ofPackage = (name: string, ...path: string[]) => join(dirname(require.resolve(name)), ...path);

/** What scripts of the console import by the names of packages → the file. */
export const MODULES: Record<string, string> = {
  "lit-html": "lit-html.js",
  uplot: "uplot.js",
  "eventsource-parser": "eventsource-parser.js",
};

/** Every file that the page asks for, by its name. */
export const FILES: Record<string, File> = {
  ...Object.fromEntries(
    readdirSync(BROWSER)
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name, onDisk(SCRIPT, join(BROWSER, name))]),
  ),
  "console.css": onDisk(STYLE, join(BROWSER, "console.css")),
  "parts.css": onDisk(STYLE, join(BROWSER, "parts.css")),
  "top.css": onDisk(STYLE, join(DOCS, "top.css")),
  "page.css": onDisk(STYLE, join(DOCS, "page.css")),
  "lit-html.js": onDisk(SCRIPT, ofPackage("lit-html", "..", "lit-html.js")),
  "uplot.js": onDisk(SCRIPT, ofPackage("uplot", "uPlot.esm.js")),
  "uplot.css": onDisk(STYLE, ofPackage("uplot", "uPlot.min.css")),
  "eventsource-parser.js": onDisk(SCRIPT, ofPackage("eventsource-parser", "index.js")),
  "vocabulary.js": { type: SCRIPT, read: () => `export default ${JSON.stringify(vocabulary())};\n` },
};

/** @throws Error for a name that is not in the table */
export function readFile(name: string): string | Buffer {
  const file = FILES[name];
  if (!file) throw new Error(`The console has no file ${name}`);
  return file.read();
}

/** The address of a file, which changes with its content. */
export function linkTo(name: string): string {
  return versioned(`/console/assets/${name}`, readFile(name));
}
