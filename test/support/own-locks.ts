/**
 * The locks in one's own database, for `from`: pg_locks has those of all databases of the server, where other tests
 * take locks too, and tables of copied databases have the same numbers.
 */
export const OWN_LOCKS =
  "(select * from pg_locks where database = (select oid from pg_database where datname = current_database())) own_locks";
