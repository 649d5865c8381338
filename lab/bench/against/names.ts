// Made-up names. The same number always gives the same name, so two runs fill the same workspace.

const SYLLABLES =
  "ka ri mo ten su la bor ni ve do pri ma zu hel go sta fi lu ran pe tor ci ja wen bo kri du sel ha ne".split(" ");
const LAST_NAMES = 5000;

/** A word of three syllables; the same number gives the same word. */
export function word(n: number): string {
  const text = [n, Math.floor(n / 30), Math.floor(n / 900)]
    .map((i) => SYLLABLES[(i * 7 + 3) % SYLLABLES.length])
    .join("");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const lastName = (n: number): string => word(n % LAST_NAMES);
export const companyName = (n: number): string => `${word(n)} ${word(n * 3 + 1)} ${n}`;
