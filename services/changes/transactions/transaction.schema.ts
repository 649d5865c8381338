import { closed, oneOf, Type } from "../../../base/contract/schema.ts";
import { TRANSACTION_OPERATIONS_MAX } from "../../../config/limits.ts";
import { UPSERTED } from "../../../mixins/batch-schemas.ts";

/** Length of the path of an operation, with its query. An id in it may have 512 characters, each percent-encoded. */
const PATH_LENGTH_MAX = 8192;

/** An operation as it is sent. */
export interface SentOperation {
  method: string;
  path: string;
  body?: unknown;
  ref?: string;
  ifMatch?: string;
}

/** One operation of a transaction. docs/guides/transactions.md#operations */
export const operationSchema = closed(
  {
    method: Type.String({ maxLength: 10, description: "POST, PATCH or DELETE", example: "POST" }),
    path: Type.String({
      maxLength: PATH_LENGTH_MAX,
      plainText: false,
      description: "The path from /v1 on, percent-encoded, with the query of the operation",
      example: "/v1/people",
    }),
    body: Type.Optional(Type.Unknown({ description: "The body of the operation; an empty object by default" })),
    ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: "^[A-Za-z0-9_-]*$",
        description: 'A name of the result: "$name" stands for its id in later operations',
        example: "ada",
      }),
    ),
    ifMatch: Type.Optional(
      Type.String({ plainText: false, description: "The condition that the operation has in its header If-Match" }),
    ),
  },
  { title: "TransactionOperation" },
);

/**
 * The body of a transaction. What is in its operations is judged with the bodies that they hold, so that all faults are
 * told at once.
 */
export const transactionBody = closed(
  {
    operations: Type.Array(
      Type.Unsafe({ documentedBy: operationSchema, example: { method: "POST", path: "/v1/people" } }),
      {
        minItems: 1,
        maxItems: TRANSACTION_OPERATIONS_MAX,
      },
    ),
    etags: Type.Optional(
      Type.Boolean({ description: "Whether results have the tags of their records", default: false }),
    ),
  },
  { title: "Transaction" },
);

/** The results of a transaction, in the order of its operations. docs/guides/transactions.md#the-answer */
export const transactionSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          status: Type.Unsafe<200>({ type: "integer", enum: [200] }),
          data: Type.Object(
            {},
            {
              additionalProperties: true,
              description: "The record as the operation answers it, or the id of a deleted one",
            },
          ),
          etag: Type.Optional(Type.String({ description: "The version of the record, where `etags` asks for it" })),
          operation: Type.Optional(oneOf(UPSERTED.operation.enum as string[])),
          matchedBy: Type.Optional(UPSERTED.matchedBy),
        },
        { title: "TransactionResult" },
      ),
    ),
  },
  { title: "TransactionResults" },
);
