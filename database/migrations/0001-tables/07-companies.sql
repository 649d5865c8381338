-- As for people: 06-people.sql.

create table companies (
  workspace_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  name text not null,
  -- The SHA-256 of the name as names are compared. The name itself, of up to 1000 characters, does not fit into an index.
  name_key bytea not null,
  description text not null,
  funding_raised numeric,
  last_funding_date date,
  industry text,
  foundation_year numeric,
  employee_range text,
  addresses json not null,
  emails json not null,
  phones json not null,
  urls json not null,
  memberships json not null,
  primary key (workspace_id, id)
) with (fillfactor = 90);
create unique index companies_name on companies (workspace_id, name_key);

create table company_search (
  workspace_id uuid not null,
  id uuid not null,
  created_by uuid not null,
  last_funding_date date,
  folded_texts text not null,
  folded_lists text not null,
  text_keys uuid[] not null,
  funding_raised numeric,
  foundation_year numeric,
  primary key (workspace_id, id)
);
create index company_search_text_keys on company_search
  using gin (text_keys) with (gin_pending_list_limit = 256);
create index company_search_folded on company_search
  using gin (workspace_id, folded_texts gin_trgm_ops, folded_lists gin_trgm_ops) with (gin_pending_list_limit = 1024);
create index company_search_created_by on company_search (workspace_id, created_by, id);
create index company_search_funding_raised on company_search (workspace_id, funding_raised, id)
  where funding_raised is not null;
create index company_search_last_funding_date on company_search (workspace_id, last_funding_date, id)
  where last_funding_date is not null;
create index company_search_foundation_year on company_search (workspace_id, foundation_year, id)
  where foundation_year is not null;

create statistics company_search_folded_texts_1 on (split_part(folded_texts, 'F', 1)) from company_search;
create statistics company_search_folded_texts_2 on (split_part(folded_texts, 'F', 2)) from company_search;
create statistics company_search_folded_texts_3 on (split_part(folded_texts, 'F', 3)) from company_search;
create statistics company_search_folded_texts_4 on (split_part(folded_texts, 'F', 4)) from company_search;
create statistics company_search_folded_lists_1 on (split_part(folded_lists, 'F', 1)) from company_search;
create statistics company_search_folded_lists_2 on (split_part(folded_lists, 'F', 2)) from company_search;
create statistics company_search_folded_lists_3 on (split_part(folded_lists, 'F', 3)) from company_search;
create statistics company_search_folded_lists_4 on (split_part(folded_lists, 'F', 4)) from company_search;
