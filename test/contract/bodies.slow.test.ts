import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, it } from "@jest/globals";
import { routes } from "../../services/gateway/operation/routes.ts";
import type { Answer } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import type { Case } from "./limits.ts";
import { freshFor, type Material, makeMaterial, ownFor, pathOf } from "./material.ts";
import { loadOperations, type Operation, titleOf } from "./operations.ts";
import type { Ids } from "./schemas.ts";
import { casesOfBody, EXACT } from "./violations.ts";

const withBody = routes.filter(({ method }) => method === "POST" || method === "PATCH").map(titleOf);

// Every limit of every schema of a body, broken and just kept. The schemas say where limits are,
// test/contract/violations.ts says what breaking one must answer; what the limits are is pinned by the chapters in
// test/http.
describeServer("The body of", (scene) => {
  let operations: Operation[];
  let material: Material;

  beforeAll(async () => {
    operations = await loadOperations(scene.server.database);
    material = await makeMaterial(scene);
  });

  const casesWith = (operation: Operation, ids: Ids): Case[] =>
    operation.params.body ? casesOfBody(operation.params.body, ids) : [];

  /** Nothing when the case is answered as it says, else what was wanted and what came. */
  async function faultsOf(
    operation: Operation,
    names: Record<string, string>,
    { what, body, issue }: Case,
  ): Promise<object[]> {
    const answer = await scene
      .api(material.workspace.ada)
      .request(operation.method, pathOf(operation, names), written(body));
    const wanted = issue === null ? 200 : [issue];
    const got = answer.status === 422 && issue !== null ? answer.issues : statusOf(operation, answer);
    return isDeepStrictEqual(got, wanted) ? [] : [{ what, wanted, got, text: answer.text.slice(0, 400) }];
  }

  /** Names in the path, and the case, made anew where the standing ones are used up by being accepted. */
  async function freshen(
    operation: Operation,
    own: Material,
    cases: Case[],
    i: number,
  ): Promise<{ names: Record<string, string>; one?: Case | undefined }> {
    const one = cases[i];
    if (!one || one.issue !== null) return { names: own.names, one };
    const { names, ids } = await freshFor(operation, String(one.path[0]), own);
    return { names, one: ids === own.ids ? one : casesWith(operation, ids)[i] };
  }

  it.each(withBody)(
    "%s tells each broken limit by the one issue that fits, and takes what just keeps it",
    async (title) => {
      const operation = operations.find((one) => titleOf(one) === title);
      if (!operation?.params.body) return;
      const own = await ownFor(operation, scene, material);
      const cases = casesWith(operation, own.ids);
      const faults: object[] = [];
      for (const i of cases.keys()) {
        const { names, one } = await freshen(operation, own, cases, i);
        if (one) faults.push(...(await faultsOf(operation, names, one)));
      }
      expect(faults).toEqual([]);
      expect(cases.length).toBeGreaterThan(5);
    },
  );
});

function written(body: unknown): string {
  return JSON.stringify(body).replaceAll(JSON.stringify(EXACT.marker), EXACT.written);
}

/**
 * A batch is 200 whatever became of its records; a record that an accepted case has deleted or merged is gone for the
 * next, and a merge and a pair take no record twice, which is a rule and no limit. So is who may be assigned, which filter
 * fits an event, which texts are match keys, which fields count, and which members of an undo go together. A restore
 * finds nothing in the trash.
 */
function statusOf({ action }: Operation, answer: Answer): number | string {
  if (/\.batchDelete$/.test(action)) return answer.status;
  if (/\.restore$/.test(action) && answer.status === 404) return 200;
  if (answer.status === 422 && answer.issues.every((issue) => isRule(action, issue))) return 200;
  const { results = [] } = (answer.body as { data?: { results?: { status: unknown }[] } } | undefined)?.data ?? {};
  return results.every(({ status }) => status === "succeeded" || status === 200) ? answer.status : "a record failed";
}

/** Whether an issue is one of a rule, and not of a limit. */
function isRule(action: string, { code, path }: Answer["issues"][number]): boolean {
  if (code !== "custom") return false;
  if (path[0] === "assignedUsers" || path[2] === "filter" || /^undo\.|\.(merge|dismissDuplicate)$/.test(action))
    return true;
  if (/[.]aggregateSearch$/.test(action)) return path[0] === "groupBy" || path[0] === "measures";
  return /upsert$/i.test(action) && path[0] === "match";
}
