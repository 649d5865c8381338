/** A thing of the model: the fields that the test writes, as answers show them. */
export interface Thing {
  kind: "person" | "company" | "note";
  [field: string]: unknown;
}

/** Everything in a workspace, by id. */
export type World = Map<string, Thing>;

/** An entry of a list of one thing that names another one. */
interface Tie {
  owner: string;
  to: string;
  place: number;
}

/** One change that a write has made, as the model takes it back. */
export type Effect = { user: string } & (
  | { what: "created"; id: string; after: Thing }
  | { what: "updated"; id: string; before: Thing; after: Thing }
  | { what: "deleted"; id: string; before: Thing; ties: Tie[]; about: [string, Thing][] }
  | { what: "merged"; id: string; before: Thing; after: Thing; merged: Merged[] }
);

interface Merged {
  id: string;
  before: Thing;
  about: string[];
}

const LISTS: Record<Thing["kind"], string[]> = { person: ["companies"], company: [], note: [] };

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function copyOf(world: World): World {
  return structuredClone(world);
}

/** Effects of a write, from the world before and after it, and from what it was. */
export function effectsOf(
  user: string,
  before: World,
  after: World,
  { merges = {} }: { merges?: Record<string, string[]> } = {},
): Effect[] {
  const mergedInto = new Map(Object.entries(merges).flatMap(([into, ids]) => ids.map((id) => [id, into])));
  const gone = [...before].filter(([id]) => !after.has(id));
  const deleted = gone.filter(([id]) => !mergedInto.has(id));
  const isGone = new Set(deleted.map(([id]) => id));
  const withRecord = (one: Thing) => one.kind === "note" && isGone.has(String(one.entity));
  const effects: Effect[] = [];
  for (const [id, thing] of after) {
    const old = before.get(id);
    if (!old) effects.push({ user, what: "created", id, after: thing });
    else if (merges[id]) {
      const merged = merges[id].map((one) => ({
        id: one,
        before: before.get(one) as Thing,
        about: aboutOf(before, one),
      }));
      effects.push({ user, what: "merged", id, before: old, after: thing, merged });
    } else if (!isSame(withoutTies(old, isGone, mergedInto), withoutTies(thing, isGone, mergedInto)))
      effects.push({ user, what: "updated", id, before: old, after: thing });
  }
  for (const [id, thing] of deleted) {
    if (withRecord(thing)) continue;
    const about = deleted.filter(([, one]) => one.kind === "note" && one.entity === id);
    effects.push({ user, what: "deleted", id, before: thing, ties: tiesTo(before, id), about });
  }
  return effects;
}

/** A thing without what a deletion or a merge of others changes in it. */
function withoutTies(thing: Thing, isGone: Set<string>, mergedInto: Map<string, string>): Thing {
  const left: Thing = { ...thing };
  for (const name of LISTS[thing.kind])
    left[name] = [
      ...new Set((thing[name] as string[]).filter((id) => !isGone.has(id)).map((id) => mergedInto.get(id) ?? id)),
    ];
  if (typeof thing.entity === "string") left.entity = mergedInto.get(thing.entity) ?? thing.entity;
  return left;
}

function tiesTo(world: World, to: string): Tie[] {
  return [...world].flatMap(([owner, thing]) =>
    LISTS[thing.kind].flatMap((name) => {
      const place = (thing[name] as string[]).indexOf(to);
      return place < 0 ? [] : [{ owner, to, place }];
    }),
  );
}

function aboutOf(world: World, id: string): string[] {
  return [...world].flatMap(([note, thing]) => (thing.entity === id ? [note] : []));
}

/** The world, the trash with the ties that came since, and the effects of all writes. */
export class Model {
  world: World = new Map();
  readonly effects: Effect[] = [];
  readonly #trash = new Map<string, Extract<Effect, { what: "deleted" }>>();
  readonly #left = new Map<string, Tie[]>();

  /** Takes over what a write has done. */
  note(after: World, effects: readonly Effect[]): void {
    this.world = copyOf(after);
    this.effects.push(...effects);
    for (const effect of effects) if (effect.what === "deleted") this.#remember(effect);
  }

  #remember(effect: Extract<Effect, { what: "deleted" }>): void {
    this.#trash.set(effect.id, effect);
    this.#left.delete(effect.id);
  }

  /** Takes effects back, the newest first, as docs/guides/history-and-undo.md#undo says. */
  undo(effects: readonly Effect[]): void {
    for (const effect of effects.toReversed()) this.#undoOne(effect, effects);
  }

  #undoOne(effect: Effect, undone: readonly Effect[]): void {
    if (effect.what === "created") this.#remove(effect, undone);
    else if (effect.what === "updated") this.#revert(effect);
    else if (effect.what === "deleted") this.#restore(effect);
    else this.#split(effect);
  }

  #remove({ id, user }: Extract<Effect, { what: "created" }>, undone: readonly Effect[]): void {
    const thing = this.world.get(id);
    if (!thing) return;
    const since = this.effects.slice(this.effects.findIndex((one) => one.what === "created" && one.id === id) + 1);
    const others = since.filter((one) => one.user !== user && !undone.includes(one));
    const isTouched = others.some((one) => touches(one, id));
    const hasNote = aboutOf(this.world, id).some((note) => this.world.get(note)?.author !== user);
    const isLinked = tiesTo(this.world, id).some(({ owner }) =>
      others.some((one) => one.id === owner && this.#names(one, id)),
    );
    if (isTouched || hasNote || isLinked) return;
    const about = aboutOf(this.world, id).map((note): [string, Thing] => [note, this.world.get(note) as Thing]);
    this.#remember({ user, what: "deleted", id, before: thing, ties: tiesTo(this.world, id), about });
    this.#takeOut(id, about);
  }

  #names(effect: Effect, id: string): boolean {
    if (effect.what === "deleted") return false;
    const names = (thing: Thing | undefined) => ((thing?.companies ?? []) as string[]).includes(id);
    return names(effect.after) && !(effect.what !== "created" && names(effect.before));
  }

  #takeOut(id: string, about: readonly [string, Thing][]): void {
    this.world.delete(id);
    for (const [note] of about) this.world.delete(note);
    for (const thing of this.world.values())
      for (const name of LISTS[thing.kind]) thing[name] = (thing[name] as string[]).filter((one) => one !== id);
  }

  #revert({ id, before, after }: { id: string; before: Thing; after: Thing }): void {
    const now = this.world.get(id);
    if (!now) return;
    for (const [name, value] of Object.entries(before)) {
      if (isSame(value, after[name]) || !isSame(now[name], after[name])) continue;
      if (name === "name" && this.#isTaken(String(value), id)) continue;
      now[name] = this.#thatAre(name, value);
    }
    // Outside its group a record has no values of it.
    if (now.kind === "person" && (now.groups as string[]).length === 0) now.text = null;
  }

  #thatAre(name: string, value: unknown): unknown {
    return name === "companies" ? (value as string[]).filter((id) => this.world.has(id)) : value;
  }

  #isTaken(name: string, id: string): boolean {
    return [...this.world].some(([other, thing]) => thing.kind === "company" && thing.name === name && other !== id);
  }

  #restore(effect: Extract<Effect, { what: "deleted" }>): void {
    const { id, before, about } = effect;
    if (!this.#canReturn(effect)) return;
    const thing = structuredClone(before);
    for (const name of LISTS[thing.kind]) {
      const gone = [...(thing[name] as string[]).entries()].filter(([, to]) => !this.world.has(to));
      for (const [place, to] of gone) this.#leave(to, { owner: id, to, place });
      thing[name] = this.#thatAre(name, thing[name]);
    }
    this.world.set(id, thing);
    for (const [note, one] of about) this.world.set(note, structuredClone(one));
    for (const tie of [...effect.ties, ...(this.#left.get(id) ?? [])].toSorted((a, b) => a.place - b.place))
      this.#tie(tie);
    this.#trash.delete(id);
    this.#left.delete(id);
  }

  #canReturn(effect: Extract<Effect, { what: "deleted" }>): boolean {
    const { id, before } = effect;
    if (this.world.has(id) || this.#trash.get(id) !== effect) return false;
    if (before.kind === "company") return !this.#isTaken(String(before.name), id);
    return before.kind !== "note" || this.world.has(String(before.entity));
  }

  #leave(id: string, tie: Tie): void {
    if (this.#trash.has(id)) this.#left.set(id, [...(this.#left.get(id) ?? []), tie]);
  }

  #tie(tie: Tie): void {
    const owner = this.world.get(tie.owner);
    if (!owner) this.#leave(tie.owner, tie);
    const list = (owner?.companies ?? []) as string[];
    if (owner && !list.includes(tie.to)) list.splice(Math.min(tie.place, list.length), 0, tie.to);
  }

  #split(effect: Extract<Effect, { what: "merged" }>): void {
    const survivor = this.world.get(effect.id);
    if (!survivor) return;
    for (const { id, before, about } of effect.merged) {
      const thing = structuredClone(before);
      thing.companies = this.#thatAre("companies", thing.companies);
      this.world.set(id, thing);
      for (const note of about) {
        const one = this.world.get(note);
        if (one && one.entity === effect.id) one.entity = id;
      }
    }
    this.#revert(effect);
  }
}

/** Whether a write has changed a thing that was there. */
function touches(effect: Effect, id: string): boolean {
  if (effect.what === "merged" && effect.merged.some((one) => one.id === id)) return true;
  // A user who deletes a record deletes its notes too, also when they are there again.
  if (effect.what === "deleted" && effect.about.some(([note]) => note === id)) return true;
  return effect.what !== "created" && effect.id === id;
}
