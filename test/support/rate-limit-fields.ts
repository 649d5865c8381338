/** An item of `RateLimit` or `RateLimit-Policy`, with its parameters in the order sent. */
export interface RateLimitItem {
  name: string;
  parameters: [key: string, value: number][];
}

/**
 * Reads a List of Strings with Integer parameters, and nothing else, by the grammar of RFC 9651 (sections 3.1, 3.1.2,
 * 3.3.1, 3.3.3).
 * @throws Error for whatever differs from it by a character
 */
export function parseRateLimitField(text: string): RateLimitItem[] {
  let at = 0;

  function take(pattern: RegExp, what: string): string {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = at;
    const found = sticky.exec(text)?.[0];
    if (found === undefined) throw new Error(`No ${what} at ${at} of ${JSON.stringify(text)}`);
    at += found.length;
    return found;
  }

  function parameters(): [string, number][] {
    const found: [string, number][] = [];
    while (text[at] === ";") {
      take(/; */, "semicolon");
      const key = take(/[a-z*][a-z0-9_.*-]*/, "key");
      if (found.some(([other]) => other === key)) throw new Error(`${key} is there twice in ${JSON.stringify(text)}`);
      take(/=/, "value");
      found.push([key, Number(take(/-?\d{1,15}(?![\d.])/, "integer"))]);
    }
    return found;
  }

  const items: RateLimitItem[] = [];
  for (;;) {
    const name = take(/"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/, "string").slice(1, -1);
    items.push({ name, parameters: parameters() });
    if (at === text.length) return items;
    take(/[ \t]*,[ \t]*/, "comma");
  }
}
