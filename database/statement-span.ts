import { LRUCache } from "lru-cache";
import { errorTypeOf, tracerInUse } from "../base/tracing/tracer.ts";

/** Number of characters of a statement that its span shows. */
const TEXT_LENGTH_MAX = 1000;
/** Number of tables that a summary names. */
const TABLES_MAX = 4;

interface Summary {
  operation: string;
  /** The operation and its tables, in the order of the text. */
  summary: string;
  text: string;
}

const summaries = new LRUCache<string, Summary>({ max: 1000 });

/**
 * Begins the span of a statement, if the running code is part of a span that is recorded. It shows the text, in which
 * all values are placeholders, and never the values. docs/guides/monitoring.md#traces
 * @returns ends it; undefined when there is none
 */
export function beginStatement({ text = "" }: { text?: string }): ((error: unknown) => void) | undefined {
  const tracer = tracerInUse();
  if (!tracer?.isRecording()) return undefined;
  const { operation, summary, text: shown } = summaryOf(text);
  const span = tracer.begin({
    name: summary,
    kind: "client",
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.summary": summary,
      "db.query.text": shown,
    },
  });
  return (error) => span.end(error ? { errorType: errorTypeOf(error) } : undefined);
}

function summaryOf(text: string): Summary {
  let known = summaries.get(text);
  if (!known) {
    known = summarize(text);
    summaries.set(text, known);
  }
  return known;
}

function summarize(sql: string): Summary {
  const text = sql
    .replace(/\/\*.*?\*\//gs, "")
    // The only value that stands in a text is the number of a lock.
    .replace(/-?\b\d{6,}\b/g, "?")
    .trim()
    .slice(0, TEXT_LENGTH_MAX);
  const [first = ""] = /^\w+/.exec(text) ?? [];
  // A statement that begins with parts is named by the change that it makes, if there is one.
  const [, change = "select"] = /\b(insert|update|delete)\b/i.exec(text) ?? [];
  const operation = (/^with$/i.test(first) ? change : first).toUpperCase();
  const parts = new Set([...text.matchAll(/\b(\w+) as (?:materialized )?\(/gi)].map(([, name]) => name));
  const named = [...text.matchAll(/\b(?:from|join|into|update) (?!set\b|of\b|nothing\b)([a-z_]\w*)\b(?!\()/gi)];
  const tables = new Set(named.flatMap(([, name = ""]) => (parts.has(name) || isWord(name) ? [] : [name])));
  return { operation, summary: [operation, ...[...tables].slice(0, TABLES_MAX)].join(" "), text };
}

/** Whether a word behind FROM or JOIN names no table. */
function isWord(name: string): boolean {
  return ["lateral", "select", "unnest", "only"].includes(name.toLowerCase());
}
