-- Run once, when the database is made: docs/guides/deploying.md#two-roles.
create role contacts login password 'local';
create role contacts_runtime login password 'local';
create database contacts owner contacts encoding 'UTF8' template template0;
