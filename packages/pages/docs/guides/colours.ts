import { createRequire } from "node:module";
import { escapeHtml } from "../html.ts";

/** The part of highlight.js that is used here. Its own types would bring those of browsers into the whole project. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(text: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

const require = createRequire(import.meta.url);
const highlighter: Highlighter = require("highlight.js/lib/core");

/** Language of a fenced block → its grammar in highlight.js. */
const GRAMMARS: Record<string, string> = {
  sh: "bash",
  go: "go",
  ini: "ini",
  js: "javascript",
  json: "json",
  nginx: "nginx",
  python: "python",
  ruby: "ruby",
  sql: "sql",
  ts: "typescript",
  yaml: "yaml",
};
for (const [name, grammar] of Object.entries(GRAMMARS))
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${grammar}`));

/** Code as HTML whose words have the classes that code.css colours; plain text if the language has no grammar here. */
export function coloured(language: string, text: string): string {
  if (!Object.hasOwn(GRAMMARS, language)) return escapeHtml(text);
  const html = highlighter.highlight(text, { language, ignoreIllegals: true }).value;
  // Half of the spans of JSON are brackets and commas, which have no colour.
  return html.replaceAll(/<span class="hljs-punctuation">([^<]*)<\/span>/g, "$1");
}
