import { afterEach, expect, it, jest } from "@jest/globals";
import { Ajv } from "ajv";
import type { ServiceBroker } from "moleculer";
import { issuesOf } from "../../base/contract/validate.ts";
import { prepare } from "../../cli/prepare.ts";

afterEach(() => void jest.restoreAllMocks());

it("what was prepared is not compiled again when the first value is judged", async () => {
  const params = { type: "object", properties: { prepared: { type: "string" } } };
  const getActionList = () => [{ action: { params } }, { action: { params: { plain: "string" } } }, {}];
  const broker = { metadata: {}, registry: { getActionList }, getLocalService: () => undefined };
  await prepare(broker as unknown as ServiceBroker);
  const compile = jest.spyOn(Ajv.prototype, "compile");
  expect(issuesOf(params, { prepared: 1 })).toHaveLength(1);
  expect(compile).not.toHaveBeenCalled();
});
