import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { isApiError } from "../../base/contract/errors.ts";
import type { Issue } from "../../base/contract/issues.ts";
import { VALIDATED_BY } from "../../base/contract/validate.ts";
import { readEnv } from "../../config/env.ts";
import { brokerOptions } from "../../moleculer.config.ts";

const closed = (properties: object, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const params = closed(
  {
    personId: { type: "string", minLength: 40 },
    body: closed({ body: { type: "string" }, tags: { type: "array", items: { type: "string" } } }, ["body"]),
  },
  ["personId", "body"],
);

const fine = { personId: "x".repeat(40), body: { body: "text", tags: ["a"] } };

let runs = 0;
const service: ServiceSchema = {
  name: "people",
  actions: {
    update: { params, handler: () => ++runs },
    // The language of fastest-validator, which the framework's own services use.
    native: { params: { count: { type: "number", integer: true } }, handler: () => "ran" },
    free: () => "ran",
  },
};

describe("the validator of the broker", () => {
  const broker = new ServiceBroker(brokerOptions(readEnv({ LOG_LEVEL: "fatal" })));

  beforeAll(async () => {
    broker.createService(service);
    await broker.start();
  });
  afterAll(() => broker.stop());

  async function issuesOfCall(input: unknown): Promise<Issue[] | undefined> {
    const error: unknown = await broker.call("people.update", input).catch((thrown: unknown) => thrown);
    if (!isApiError(error)) throw new Error("Not an ApiError.", { cause: error });
    expect(error).toMatchObject({ type: "UNPROCESSABLE_ENTITY", code: 422 });
    return error.data.details?.issues;
  }

  it("lets params pass that fit the schema", async () => {
    await expect(broker.call("people.update", fine)).resolves.toBe(1);
  });

  it("answers params that do not fit with the issues of a 422, and does not run the action", async () => {
    const before = runs;
    const issues = await issuesOfCall({ ...fine, personId: "short" });
    expect(issues).toMatchObject([{ code: "too_small", path: ["personId"] }]);
    expect(runs).toBe(before);
  });

  it("starts the path of a body's issue at the body's root, and at nothing further", async () => {
    expect(await issuesOfCall({ ...fine, body: { body: 5, tags: ["a", 7] } })).toMatchObject([
      { code: "invalid_type", path: ["body"] },
      { code: "invalid_type", path: ["tags", 1] },
    ]);
  });

  it("gives an empty path for a body that is missing", async () => {
    expect(await issuesOfCall({ personId: fine.personId })).toMatchObject([{ path: [], message: "Required" }]);
  });

  it("gives issues no names of nodes and actions", async () => {
    const [issue] = (await issuesOfCall({ ...fine, more: 1 })) ?? [];
    expect(Object.keys(issue ?? {}).sort()).toEqual(["code", "keys", "message", "path"]);
  });

  it("does not judge params again that the caller has judged by the same schema", async () => {
    let looks = 0;
    const watched = {
      ...fine,
      get personId() {
        looks += 1;
        return fine.personId;
      },
    };
    const looksAt = async (options: object) => {
      looks = 0;
      await broker.call("people.update", watched, options);
      return looks;
    };
    expect(await looksAt({})).toBeGreaterThan(0);
    expect(await looksAt({ [VALIDATED_BY]: closed({}, []) })).toBeGreaterThan(0);
    expect(await looksAt({ [VALIDATED_BY]: structuredClone(params) })).toBe(0);
  });

  it("takes a call without params for one with none", async () => {
    expect(await issuesOfCall(undefined)).toHaveLength(2);
    await expect(broker.call("people.free")).resolves.toBe("ran");
  });

  it("leaves schemas of the framework to fastest-validator", async () => {
    await expect(broker.call("people.native", { count: 1 })).resolves.toBe("ran");
    await expect(broker.call("people.native", { count: "x" })).rejects.toMatchObject({ type: "VALIDATION_ERROR" });
    await expect(broker.call("$node.services", { onlyLocal: true })).resolves.toBeDefined();
  });
});
