import { PREFIXES } from "../../base/values/ids.ts";

const PLACEHOLDER = /\{(\w+Id|cursor|etag)\}/g;

/** What `{personId}` and the like stand for while the blocks of a guide run. */
export interface Placeholders {
  /** Puts values in the place of names. Throws for a name that has none yet. */
  fill(text: string): string;
  /**
   * Looks into an answer for an id in `data`, for a cursor, and keeps its tag. The id of its kind that stood there before becomes
   * `{otherPersonId}`.
   */
  note(answer: unknown, etag?: unknown): void;
}

export function placeholders(known: Record<string, string>): Placeholders {
  const values = new Map(Object.entries(known));

  function noteId(id: string): void {
    const kind = Object.entries(PREFIXES).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0];
    if (kind === undefined) return;
    const last = values.get(`${kind}Id`);
    if (last !== undefined && last !== id) values.set(`other${kind[0]?.toUpperCase()}${kind.slice(1)}Id`, last);
    values.set(`${kind}Id`, id);
  }

  return {
    fill: (text) =>
      text.replaceAll(PLACEHOLDER, (whole, name: string) => {
        const value = values.get(name);
        if (value === undefined) throw new Error(`${whole} stands for nothing yet.`);
        return value;
      }),
    note: (answer, etag) => {
      if (typeof etag === "string") values.set("etag", etag);
      const { data } = (answer ?? {}) as {
        data?: { id?: unknown; cursor?: string; pagination?: { nextLink?: string } };
      };
      if (typeof data?.id === "string") noteId(data.id);
      const next = data?.pagination?.nextLink;
      if (data?.cursor !== undefined) values.set("cursor", data.cursor);
      if (next !== undefined) values.set("cursor", new URL(next).searchParams.get("cursor") ?? "");
    },
  };
}
