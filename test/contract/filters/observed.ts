import { beforeAll } from "@jest/globals";
import { byId, newUuid } from "../../../base/values/ids.ts";
import type { Combinator } from "../../../engine/filters/condition.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { TestUser } from "../../../lab/harness/world.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { Scope } from "../../../model/resources/scope.ts";
import type { Scene } from "../../support/scene.ts";
import type { Place } from "./asking.ts";
import { questionsAbout } from "./candidates.ts";
import type { SweptField } from "./fields.ts";
import { type Answered, meets, type Question } from "./oracle.ts";
import { type Population, pathOf, populate } from "./population.ts";

export const RESOURCES = { people, companies, objects };
export type Kind = keyof typeof RESOURCES;
export const KINDS = Object.keys(RESOURCES) as Kind[];

/** Ada sees the club and the vault, Bob the club alone. */
export type Viewer = "ada" | "bob";

/** The population, and what two users are answered about it without filter and order. */
export interface Observed {
  readonly population: Population;
  userOf(viewer: Viewer): TestUser;
  answered(viewer: Viewer, kind: Kind): Answered[];
  placeOf(user: TestUser, kind: Kind): Promise<Place>;
  questionsOf(field: SweptField, kind: Kind, viewer: Viewer, group?: "club" | "vault"): Question[];
  /** The records of a list that meet the questions, by the oracle. */
  matching(records: Answered[], questions: Question[], combinator?: Combinator): Answered[];
}

/**
 * Makes the population before the tests of a group, and looks at it.
 * @param prepare changes it before it is looked at
 */
export function observe(scene: Scene, prepare?: (population: Population) => Promise<void>): Observed {
  let population: Population | undefined;
  const seen = new Map<string, Answered[]>();

  const made = (): Population => {
    if (!population) throw new Error("The population is made in beforeAll: use it in tests and hooks only.");
    return population;
  };
  const userOf = (viewer: Viewer): TestUser => (viewer === "ada" ? made().workspace.ada : made().bob);
  const answered = (viewer: Viewer, kind: Kind): Answered[] => seen.get(`${viewer} ${kind}`) ?? [];

  beforeAll(async () => {
    population = await populate(scene);
    await prepare?.(population);
    for (const viewer of ["ada", "bob"] as const) {
      for (const kind of KINDS)
        seen.set(`${viewer} ${kind}`, await scene.api(userOf(viewer)).all(`${pathOf(kind, population)}?limit=100`));
    }
  });

  /** Ids that might be mistaken: merged and deleted records, a removed user, the group that bob cannot see. */
  const known = (): string[] => {
    const { aliases, ids, gone, vault } = made();
    return [...aliases.keys(), ...KINDS.map((kind) => ids[kind][0] ?? ""), gone.id, vault.id];
  };

  async function placeOf(user: TestUser, kind: Kind): Promise<Place> {
    const { workspace, club } = made();
    const reading = storeOf(scene.server.database);
    const definitions = await reading.definitionsCache.current(workspace.uuid);
    const home = byId(definitions.groups, "group", club.id) ?? null;
    const deals = home?.objectTypes.find(({ name }) => name === "Deals")?.uuid ?? newUuid();
    const scope: Scope =
      kind === "objects" ? { entity: deals, homeGroup: home } : { entity: RESOURCES[kind].kind, homeGroup: null };
    return { reading, resource: RESOURCES[kind], scope, caller: user.caller };
  }

  return {
    get population() {
      return made();
    },
    userOf,
    answered,
    placeOf,
    questionsOf: (field, kind, viewer, group) =>
      questionsAbout(field, field.nameIn(made(), group), answered(viewer, kind), known()),
    matching: (records, questions, combinator = "and") =>
      records.filter((record) => {
        const one = (question: Question) => meets(record, question, made().aliases);
        return combinator === "and" ? questions.every(one) : questions.some(one);
      }),
  };
}
