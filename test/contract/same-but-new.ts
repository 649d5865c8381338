const NEW = /\b([a-z]+_)?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Two values without the ids and times that only one of them has. Each id is replaced by the number of its first place. */
export function likeEachOther(one: unknown, other: unknown): [unknown, unknown] {
  const texts = [JSON.stringify(one), JSON.stringify(other)] as const;
  const [known, alsoKnown] = texts.map((text) => new Set(text.match(NEW)));
  return [without(texts[0], alsoKnown), without(texts[1], known)];
}

function without(text: string, known: Set<string> = new Set()): unknown {
  const places = new Map<string, string>();
  const placeOf = (found: string, prefix: string) => {
    if (!places.has(found)) places.set(found, `${prefix}new ${places.size}`);
    return places.get(found) ?? "";
  };
  return JSON.parse(
    text.replaceAll(NEW, (found, prefix?: string) => {
      if (known.has(found)) return found;
      return found.includes("T") ? "a time" : placeOf(found, prefix ?? "");
    }),
  );
}
