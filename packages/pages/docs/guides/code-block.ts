import { escapeHtml } from "../html.ts";

/**
 * Up to this length a word is not broken at the end of a line: browsers would break `"{personId}"` behind its quote.
 */
const WHOLE_MAX = 24;

/**
 * A fenced block as HTML. Of its info string the first word is the language, and `file=NAME` names the file that the
 * block is. A block of the language `http` is a request, and below a line of three hyphens what is answered.
 */
export function codeBlock(info: string, text: string): string {
  const [language = "", ...words] = info.trim().split(/\s+/);
  if (language === "http") return exchange(text);
  const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
  const title = file === undefined ? "" : label(`<code>${escapeHtml(file)}</code>`);
  return `<div class="block">${title}${pre(escapeHtml(text))}</div>\n`;
}

/**
 * Code within a line as HTML. Long paths and names may be broken between their parts, or tables would not fit on a
 * phone; short words are not, or browsers would break `--workspace` behind its first hyphen.
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
  const asked = `${label(`Request${who}`)}${pre([head, ...rest.map(escapeHtml)].join("\n"))}`;
  // guides.js offers the request as code.
  const kind = sender?.startsWith("without a key") ? "keyless" : "keyed";
  return `<div class="block" data-request="${kind}">${asked}${answer === undefined ? "" : answered(answer)}</div>\n`;
}

function answered(answer: string): string {
  const [status = "", ...lines] = answer.trimEnd().split("\n");
  const kind = status.startsWith("2") ? "done" : "refused";
  const body = lines.length === 0 ? "" : pre(escapeHtml(lines.join("\n")));
  return `${label(`Answer <b class="${kind}">${escapeHtml(status)}</b>`)}${body}`;
}

function label(html: string): string {
  return `<p class="label">${html}</p>`;
}

function pre(html: string): string {
  return `<pre><code>${html.trimEnd()}</code></pre>`;
}
