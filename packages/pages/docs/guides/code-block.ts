import { escapeHtml } from "../html.ts";

/** Columns by which lines begin further right, two at a time; code.css has a class for each. */
const INDENT_MAX = 16;
const TAB_COLUMNS = 2;
/** Up to this length a word is not broken at the end of a line: browsers would break `"{personId}"` behind its quote. */
const WHOLE_MAX = 24;

/**
 * A fenced block as HTML. Of its info string the first word is the language, and `file=NAME` names the file that the block
 * is. A block of the language `http` is a request, and below a line of three hyphens what is answered.
 */
export function codeBlock(info: string, text: string): string {
  const [language = "", ...words] = info.trim().split(/\s+/);
  if (language === "http") return exchange(text);
  const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
  const title = file === undefined ? "" : label(`<code>${escapeHtml(file)}</code>`);
  return `<div class="block">${title}${pre(coloured(text, language))}</div>\n`;
}

/**
 * Code within a line as HTML. Long paths and names may be broken between their parts, or tables would not fit on a phone;
 * short words are not, or browsers would break `--workspace` behind its first hyphen.
 */
export function codeWords(text: string): string {
  if (text.length <= WHOLE_MAX) return `<code class="whole">${escapeHtml(text)}</code>`;
  return `<code>${text.split(" ").map(codeWord).join(" ")}</code>`;
}

function codeWord(word: string): string {
  if (word.length <= WHOLE_MAX)
    return /\w-|-\w/.test(word) ? `<span class="whole">${escapeHtml(word)}</span>` : escapeHtml(word);
  const parts = word.split(/(?<=[\w}\]][/_.=&])(?=[\w{])|(?<=\w)(?=\[)/);
  return parts.map(escapeHtml).join("<wbr>");
}

/** `GET /v1/people # as bob`: method, path, and the sender unless it is the reader. */
const REQUEST_LINE = /^([A-Z]+) (.*?)(?: # (.+))?$/;

function exchange(text: string): string {
  const [request = "", answer] = text.split(/^---\n/m);
  const [first = "", ...rest] = request.trimEnd().split("\n");
  const [, method = "", path = first, sender] = REQUEST_LINE.exec(first) ?? [];
  const head = `<b class="method">${escapeHtml(method)}</b> ${escapeHtml(path)}`;
  const who = sender === undefined ? "" : ` <span>${escapeHtml(sender)}</span>`;
  const asked = `${label(`Request${who}`)}${pre([head, ...rest.map((line) => coloured(line, "http"))].join("\n"))}`;
  return `<div class="block">${asked}${answer === undefined ? "" : answered(answer)}</div>\n`;
}

function answered(answer: string): string {
  const [status = "", ...lines] = answer.trimEnd().split("\n");
  const kind = status.startsWith("2") ? "done" : "refused";
  const body = lines.length === 0 ? "" : pre(coloured(lines.join("\n"), "http"));
  return `${label(`Answer <b class="${kind}">${escapeHtml(status)}</b>`)}${body}`;
}

function label(html: string): string {
  return `<p class="label">${html}</p>`;
}

/** Each line by itself, so that what does not fit goes on below its beginning. No tag of a coloured text spans two lines. */
function pre(html: string): string {
  const lines = html.trimEnd().split("\n");
  const shown = lines.map((line) => `<span class="line indent-${indentOf(line)}">${line}</span>`);
  return `<pre><code>${shown.join("")}</code></pre>`;
}

function indentOf(line: string): number {
  const blanks = /^[ \t]*/.exec(line)?.[0].replaceAll("\t", " ".repeat(TAB_COLUMNS)).length ?? 0;
  return Math.min(blanks - (blanks % 2), INDENT_MAX);
}

const JSON_NAME = String.raw`(?<name>"(?:\\.|[^"\\\n])*")(?=\s*:)`;
const JSON_TEXT = String.raw`(?<text>"(?:\\.|[^"\\\n])*")`;
const COMMENT = String.raw`(?<comment>(?<=^|\s)#.*)$`;

/** Highlighted parts in each language; the others have none. */
const PATTERNS: Record<string, RegExp> = {
  http: new RegExp(String.raw`^(?<header>[A-Za-z][\w-]*)(?=: )|${JSON_NAME}|${JSON_TEXT}`, "gm"),
  json: new RegExp(`${JSON_NAME}|${JSON_TEXT}`, "gm"),
  yaml: new RegExp(COMMENT, "gm"),
  sh: new RegExp(String.raw`${COMMENT}|(?<option>(?<=\s)--?[\w-]+)|(?<name>\{\w+\})`, "gm"),
};

function coloured(text: string, language: string): string {
  const pattern = PATTERNS[language];
  if (!pattern) return escapeHtml(text);
  let html = "";
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    const whole = found.length <= WHOLE_MAX ? " whole" : "";
    html += `${escapeHtml(text.slice(end, index))}<span class="${kind}${whole}">${escapeHtml(found)}</span>`;
    end = index + found.length;
  }
  return html + escapeHtml(text.slice(end));
}
