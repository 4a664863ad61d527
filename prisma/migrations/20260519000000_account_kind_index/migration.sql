-- Each statement by itself. For the currencies, codes and types of which there are accounts.
drop index concurrently if exists ledger.account_kind_idx;
create index concurrently account_kind_idx on ledger.account (currency, code, type);
