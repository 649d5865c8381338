/** All codes of PostgreSQL's errors on which our code depends, by their names in its manual ("PostgreSQL Error Codes"). */
export const SQLSTATE = {
  featureNotSupported: "0A000",
  notNullViolation: "23502",
  foreignKeyViolation: "23503",
  uniqueViolation: "23505",
  readOnlyTransaction: "25006",
  inFailedTransaction: "25P02",
  idleInTransactionTimeout: "25P03",
  invalidStatementName: "26000",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  duplicateDatabase: "42P04",
  duplicatePreparedStatement: "42P05",
  objectInUse: "55006",
  lockNotAvailable: "55P03",
  queryCanceled: "57014",
  adminShutdown: "57P01",
  crashShutdown: "57P02",
  cannotConnectNow: "57P03",
  idleSessionTimeout: "57P05",
} as const;

/**
 * The codes with which PostgreSQL refuses a row when another transaction has written the same name, or has deleted what the
 * row belongs to. The work may run again from its beginning, and finds then what the other transaction has left.
 */
export const CONFLICTS: readonly string[] = [SQLSTATE.uniqueViolation, SQLSTATE.foreignKeyViolation];
